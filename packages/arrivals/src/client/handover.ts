import { longestLoadMs } from '../shared/load.ts'
import type { Handover } from './loadTracker.ts'

const handoverKey = 'waymark-load'

type StoredHandover = Handover & { readonly url: string }

/** @param timeOrigin time origin of the document in which the load began */
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
    // Storage is blocked, so the next document counts from its own start.
  }
}

/** @returns `null` if the load of this document didn't begin in another one */
export function readHandover(view: Window): Handover | null {
  try {
    const stored: StoredHandover = JSON.parse(view.sessionStorage.getItem(handoverKey) ?? 'null')
    view.sessionStorage.removeItem(handoverKey)
    const { url, ...handover } = stored
    const startedAtMs = stored.startedAtMs - view.performance.timeOrigin
    const isOfThis = url === view.location.href && startedAtMs > -longestLoadMs
    return isOfThis ? { ...handover, startedAtMs } : null
  } catch {
    // Nothing is stored, or the browser blocks storage.
    return null
  }
}
