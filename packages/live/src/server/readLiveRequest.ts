import { type LiveRequest, maxPages } from '../shared/messages.ts'

/** @returns `null` for a body that none of our pages would send */
export function readLiveRequest(text: string): LiveRequest | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const { pages, wait } = Object(json) as Record<string, unknown>
  if (!Array.isArray(pages) || pages.length > maxPages || typeof wait !== 'boolean') return null
  return pages.every((page) => typeof page === 'string') ? { pages, wait } : null
}
