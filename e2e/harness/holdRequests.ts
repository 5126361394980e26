import type { Page, Route } from 'playwright-core'

type EndRoute = (route: Route) => Promise<void>

/**
 * Holds a page's requests until the test ends them. Requests after that end in the same way,
 * without being held.
 */
export async function holdRequests(page: Page, url: string | RegExp) {
  const routes: Route[] = []
  let end: EndRoute | null = null
  let onHeld = () => {}
  const held = new Promise<void>((resolve) => {
    onHeld = resolve
  })
  await page.route(url, (route) => {
    onHeld()
    if (!end) routes.push(route)
    return end?.(route)
  })
  return {
    /** Resolves when the first request is held. */
    held,
    async end(how: 'abort' | 'continue' | EndRoute) {
      end = typeof how === 'string' ? (route) => route[how]() : how
      await Promise.all(routes.map(end))
    },
  }
}
