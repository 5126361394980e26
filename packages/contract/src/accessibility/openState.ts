import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from 'playwright-core'
import { finalStatusHeader, prefetchHeader } from 'waymark/plugin/node'
import { settle } from './axe.ts'
import { type PageState, withoutPage } from './pageData.ts'

/** A navigation inside the app. URLs are absolute. */
export type Navigation = {
  readonly start: string
  readonly target: string
  /** The state in which the page arrives. */
  readonly state: PageState
}

const navigatesWithinMs = 5_000

/**
 * Navigates to a page, and brings the page into a state.
 * @returns `null` if the browser shows this state, otherwise the reason why it doesn't
 */
export async function openState(
  page: Page,
  { start, target, state }: Navigation,
  server: StateServer,
): Promise<string | null> {
  await page.goto(start, { waitUntil: 'load' })
  await settle(page)
  let isChanged = false
  await page.route(isPageData, async (route: Route) => {
    const headers = route.request().headers()
    // With prefetched data, the navigation wouldn't send a request.
    if (prefetchHeader in headers) return route.abort()
    if (isChanged) return route.continue()
    const response = await route.fetch()
    const body = withoutPage(await response.body(), state)
    if (body === null) return route.fulfill({ response })
    isChanged = true
    const url = server.add({ type: response.headers()['content-type'] ?? '', body, state })
    await route.continue({ url })
  })
  const isSignal = state.kind === 'failed' && state.digest.startsWith('WAYMARK;')
  try {
    // After a signal, the browser asks the server for the screen.
    const screen = isSignal
      ? page.waitForResponse(isScreenData, { timeout: navigatesWithinMs })
      : Promise.resolve()
    const arrival = page.waitForURL(target, { waitUntil: 'commit', timeout: navigatesWithinMs })
    await Promise.all([screen, arrival, page.evaluate(clickLink, target)])
    await settle(page)
    // A navigation without a pointer moves the focus, and a skip link that has the focus may cover
    // other elements.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error
    return `the browser didn't show it within ${navigatesWithinMs / 1000} s`
  }
  return isChanged ? null : "the page's data doesn't contain its content"
}

function isPageData({ pathname }: URL): boolean {
  return pathname.includes('/_waymark/data')
}

function isScreenData(response: { request(): { headers(): Record<string, string> } }): boolean {
  return finalStatusHeader in response.request().headers()
}

function clickLink(href: string): void {
  const link = Object.assign(document.createElement('a'), { href })
  document.body.append(link)
  link.click()
  link.remove()
}

type StateResponse = {
  readonly type: string
  readonly body: Uint8Array
  readonly state: PageState
}

export type StateServer = Awaited<ReturnType<typeof startStateServer>>

/**
 * Starts a server for changed page data. A browser test can't do without it, because a response by
 * Playwright always ends, and the data of a page that is loading doesn't.
 */
export async function startStateServer() {
  const responses = new Map<string, StateResponse>()
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(({ url = '' }, response: ServerResponse) => {
    const found = responses.get(url)
    responses.delete(url)
    if (!found) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': found.type, 'cache-control': 'no-store' })
    response.write(found.body)
    if (found.state.kind === 'failed') response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let count = 0
  return {
    /** Adds a response for one request. Returns its URL. */
    add(response: StateResponse): string {
      const path = `/${count++}`
      responses.set(path, response)
      return `http://127.0.0.1:${port}${path}`
    },
    stop(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
