import type { Page, Route } from 'playwright-core'

type EndRoute = (route: Route) => Promise<void>

/** Holds requests of a page until they are ended. Later requests end in the same way. */
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
    /** Resolves with the first request. */
    held,
    async end(how: 'abort' | 'continue' | EndRoute) {
      end = typeof how === 'string' ? (route) => route[how]() : how
      await Promise.all(routes.map(end))
    },
  }
}
