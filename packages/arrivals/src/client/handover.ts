import { longestLoadMs } from '../shared/load.ts'
import type { Handover } from './loadTracker.ts'

const handoverKey = 'waymark-load'

type StoredHandover = Handover & { readonly url: string }

/** @param timeOrigin of the document in which the load has begun */
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
    // Not allowed: the document counts from its own start.
  }
}

/** @returns `null` where the document is not the end of a load that began in another one */
export function readHandover(view: Window): Handover | null {
  try {
    const stored: StoredHandover = JSON.parse(view.sessionStorage.getItem(handoverKey) ?? 'null')
    view.sessionStorage.removeItem(handoverKey)
    const { url, ...handover } = stored
    const startedAtMs = stored.startedAtMs - view.performance.timeOrigin
    const isOfThis = url === view.location.href && startedAtMs > -longestLoadMs
    return isOfThis ? { ...handover, startedAtMs } : null
  } catch {
    // There is none, or the browser allows no storage.
    return null
  }
}
