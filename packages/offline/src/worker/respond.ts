import { savedAtHeader, savedTiming, type WorkerSettings } from '../shared/messages.ts'
import type { KeptPages } from './keptPages.ts'

export type Served = { readonly response: Response; readonly savedAtMs: number | null }

/**
 * Responds from the network; where that fails, or is silent for the limit and a kept response is
 * there, with that. Rejects where there is neither.
 */
export async function respond(
  url: string,
  network: Promise<Response>,
  pages: KeptPages,
  { limitMs }: Pick<WorkerSettings, 'limitMs'>,
): Promise<Served> {
  const fromNetwork = network.then((response) => ({ response, savedAtMs: null }))
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, limitMs, 'late'))
  const first = await Promise.race([fromNetwork, late]).catch(() => 'late' as const)
  if (first !== 'late') return first
  const kept = await pages.find(url)
  return kept ? served(kept) : fromNetwork
}

function served(kept: Response): Served {
  const savedAt = kept.headers.get(savedAtHeader) ?? ''
  const headers = new Headers(kept.headers)
  headers.set('server-timing', `${savedTiming};desc=${savedAt}`)
  return { response: new Response(kept.body, { headers }), savedAtMs: Number(savedAt) }
}
