import { longestLoadMs } from '../shared/load.ts'
import type { Handover } from './loadTracker.ts'

const handoverKey = 'waymark-load'

type StoredHandover = Handover & { readonly url: string }

/** @param timeOrigin time origin of the document in which the page load began */
export function writeHandover(
  view: Window,
  url: string,
  handover: Handover,
  timeOrigin: number,
): void {
  const startedAtMs = handover.startedAtMs + timeOrigin
  const stored: StoredHandover = { ...handover, url, startedAtMs }
  try {
    view.sessionStorage.setItem(handoverKey, JSON.stringify(stored))
  } catch {
    // Without storage, the next document measures its load from its own start.
  }
}

/** @returns `null` if this document's load didn't begin as a navigation in a different document */
export function readHandover(view: Window): Handover | null {
  try {
    const stored: StoredHandover = JSON.parse(view.sessionStorage.getItem(handoverKey) ?? 'null')
    view.sessionStorage.removeItem(handoverKey)
    const { url, ...handover } = stored
    const startedAtMs = stored.startedAtMs - view.performance.timeOrigin
    const isOfThis = url === view.location.href && startedAtMs > -longestLoadMs
    return isOfThis ? { ...handover, startedAtMs } : null
  } catch {
    // Storage is blocked, or its content can't be parsed.
    return null
  }
}
