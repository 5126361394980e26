import type { Page, Route } from 'playwright-core'
import { drillFaults, isTargeted, type Target } from '../drill/faultList.ts'
import { type FaultProxy, startFaultProxy } from '../drill/faultProxy.ts'

/** A fault that has been switched on for a page. */
export type PageFault = {
  /** Number of requests that the fault has affected. */
  readonly hits: number
  /** Ends the fault. */
  remove(): Promise<void>
}

// Assumed size of a response in bytes. A test doesn't measure pages as the drill does; with this
// size, a fault breaks most responses between their start and their end.
const usualBytes = 500

/**
 * Breaks responses in a Playwright page, as the drill does. The page's requests go through a proxy
 * that breaks them, so the browser sees a broken connection.
 * @param target the kind of request to break; `page` means both data and documents
 * @param name name of the fault without its target, as `waymark drill` prints it
 * @throws Error that lists the faults, if the name is unknown
 *
 * @example
 * ```ts
 * const fault = await withFault(page, 'data', 'reset')
 * await page.getByRole('link', { name: 'Cart' }).click()
 * await fault.remove()
 * ```
 */
export async function withFault(page: Page, target: Target, name: string): Promise<PageFault> {
  const ofTarget = drillFaults.filter((each) => each.target === target)
  const fault = ofTarget.find(({ id }) => id === `${target}:${name}`)
  if (!fault) {
    const names = ofTarget.map(({ id }) => id.slice(target.length + 1))
    throw new Error(`There is no fault ${target}:${name}. The faults are ${names.join(', ')}`)
  }
  let hits = 0
  const proxies = new Map<string, Promise<FaultProxy>>()
  const proxyOf = (origin: string) => {
    const proxy = proxies.get(origin) ?? startFaultProxy(origin)
    proxies.set(origin, proxy)
    return proxy
  }
  const breakRequest = async (route: Route) => {
    const request = route.request()
    const { origin, pathname, search } = new URL(request.url())
    const proxied = { method: request.method(), target: pathname, headers: request.headers() }
    const document = request.isNavigationRequest() ? pathname : ''
    const isOver = hits >= (fault.times ?? Number.POSITIVE_INFINITY)
    if (isOver || !isTargeted(target, document, proxied)) return route.fallback()
    hits++
    if (hits === 1) void fault.disturb?.(page).catch(() => {})
    if (fault.isOffline) return route.abort('internetdisconnected')
    const proxy = await proxyOf(origin)
    proxy.clear()
    proxy.inject(fault.faultOf(usualBytes))
    await route.continue({ url: proxy.origin + pathname + search })
  }
  await fault.prepare?.(page)
  await page.route('**/*', breakRequest)
  const remove = async () => {
    await page.unroute('**/*', breakRequest)
    for (const proxy of proxies.values()) await (await proxy).stop()
    proxies.clear()
  }
  page.once('close', () => void remove().catch(() => {}))
  const healing = fault.endsAfterMs && setTimeout(() => void remove(), fault.endsAfterMs)
  return {
    get hits() {
      return hits
    },
    async remove() {
      clearTimeout(healing)
      await remove()
    },
  }
}
