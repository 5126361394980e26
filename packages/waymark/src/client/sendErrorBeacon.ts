import { errorBeaconPath } from '../shared/errorBeacon.ts'

/** Sends a beacon, which the browser does even while it leaves the page. */
export function sendErrorBeacon(beacon: Blob): void {
  // Older browsers, and blockers of trackers, have no such function or one that refuses.
  if (navigator.sendBeacon?.(errorBeaconPath, beacon)) return
  fetch(errorBeaconPath, { method: 'POST', body: beacon, keepalive: true }).catch(() => {})
}
