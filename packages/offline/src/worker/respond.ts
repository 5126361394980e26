import { buildOf } from 'waymark/plugin/client'
import { readCacheHeader } from '../shared/cachedPage.ts'

/** A response and the time at which it was cached; `null` if it comes from the network. */
export type Served = { readonly response: Response; readonly savedAtMs: number | null }

/**
 * True for a 502, 503 or 504 that a gateway sent. The app's server names its build in each response.
 */
const isOfGateway = (response: Response) => response.status > 501 && buildOf(response) === null

/**
 * Responds from the network. If the network fails, sends nothing within the limit, or a gateway responds,
 * a cached response takes its place.
 * @param find finds a cached response
 * @throws if the network fails and no response is cached
 */
export async function respond(
  network: Promise<Response>,
  find: () => Promise<Response | undefined>,
  limitMs: number,
): Promise<Served> {
  const fromNetwork = network.then((response) => ({ response, savedAtMs: null }))
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, limitMs, null))
  const first = await Promise.race([fromNetwork, timeout]).catch(() => null)
  if (first && !isOfGateway(first.response)) return first
  // Ignore errors from browsers that block storage.
  const cached = await find().catch(() => null)
  if (!cached) return fromNetwork
  return { response: cached, savedAtMs: readCacheHeader(cached)?.savedAtMs ?? null }
}
