import { readKept } from '../shared/keptEntry.ts'

/** A response, and when it was kept; `null`: it is of the network. */
export type Served = { readonly response: Response; readonly savedAtMs: number | null }

/**
 * Responds from the network; where that fails, or is silent for the limit and a kept response is
 * there, with that. Rejects where there is neither.
 * @param find finds a kept response
 */
export async function respond(
  network: Promise<Response>,
  find: () => Promise<Response | undefined>,
  limitMs: number,
): Promise<Served> {
  const fromNetwork = network.then((response) => ({ response, savedAtMs: null }))
  const late = new Promise<null>((resolve) => setTimeout(resolve, limitMs, null))
  const first = await Promise.race([fromNetwork, late]).catch(() => null)
  if (first) return first
  // Storage may be forbidden.
  const kept = await find().catch(() => undefined)
  if (!kept) return fromNetwork
  return { response: kept, savedAtMs: readKept(kept)?.savedAtMs ?? null }
}
