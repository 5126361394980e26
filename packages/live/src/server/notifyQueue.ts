const tickMs = 20
/** Maximum lag of timers, in milliseconds, with which the server counts as idle. */
const idleLagMs = 8
const busyLagMs = 40
const firstPerTick = 10
const leastPerTick = 2
const mostPerTick = 1_000

/**
 * Notifies many connections of a change, only as fast as the server can render the pages that they
 * then fetch. While its timers are punctual, it notifies more connections per tick; when they lag,
 * half as many.
 */
export function createNotifyQueue<Key>(tell: (key: Key, places: readonly number[]) => void) {
  const due = new Map<Key, Set<number>>()
  let perTick = firstPerTick
  let dueAtMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function schedule(): void {
    if (timer !== undefined || due.size === 0) return
    dueAtMs = performance.now() + tickMs
    timer = setTimeout(tick, tickMs)
  }

  function tick(): void {
    timer = undefined
    const lagMs = performance.now() - dueAtMs
    if (lagMs < idleLagMs) perTick = Math.min(perTick * 1.15 + 1, mostPerTick)
    else if (lagMs > busyLagMs) perTick = Math.max(perTick / 2, leastPerTick)
    let left = Math.floor(perTick)
    for (const [key, places] of due) {
      if (left-- <= 0) break
      due.delete(key)
      tell(key, [...places])
    }
    if (due.size === 0) perTick = firstPerTick
    schedule()
  }

  return {
    /** Changes that are added before a notification is sent are part of it. */
    add(key: Key, place: number): void {
      const places = due.get(key)
      if (places) places.add(place)
      else due.set(key, new Set([place]))
      schedule()
    },
    drop: (key: Key) => void due.delete(key),
  }
}
