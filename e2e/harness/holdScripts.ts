import type { Page } from 'playwright-core'

/**
 * Delays a page's scripts until the test releases them.
 * @param isHeld selects scripts by their code; by default, all scripts are delayed
 * @returns a function that releases the scripts
 */
export async function holdScripts(
  page: Page,
  isHeld: (code: string) => boolean = () => true,
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'script') return route.continue()
      const response = await route.fetch()
      const body = await response.text()
      if (isHeld(body)) await released
      await route.fulfill({ response, body })
    },
  )
  return release
}
