import { buildOf } from 'waymark/plugin/client'
import { readCacheHeader } from '../shared/cachedPage.ts'

/** A response, and when it was kept; `null`: it is of the network. */
export type Served = { readonly response: Response; readonly savedAtMs: number | null }

/** 502, 503 and 504 of what stands before the server: its own responses name their build. */
const isOfGateway = (response: Response) => response.status > 501 && buildOf(response) === null

/**
 * Responds from the network; where that fails, is silent for the limit, or a gateway responds, and a
 * kept response is there, with that. Rejects where there is neither.
 * @param find finds a kept response
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
  // Storage may be forbidden.
  const cached = await find().catch(() => null)
  if (!cached) return fromNetwork
  return { response: cached, savedAtMs: readCacheHeader(cached)?.savedAtMs ?? null }
}
