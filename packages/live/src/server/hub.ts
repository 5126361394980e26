import { everything } from './liveTags.ts'

/** A page that waits. `places`: of its subscriptions in the request. */
export type Waiting = {
  changed(places: readonly number[]): void
  heartbeat(): void
  end(): void
}

type Entry = { readonly waiting: Waiting; readonly place: number }

const tickMs = 20
const slices = 60
/** While timers are late by less, the server can do more. */
const idleLagMs = 8
const busyLagMs = 40
const startPerTick = 10
const mostPerTick = 1_000
const leastPerTick = 2

/**
 * Knows who waits for which tags. Many who wait for the same are told one after the other, as fast as
 * the server can render what they ask for then.
 */
export function createHub(heartbeatMs: number) {
  const entriesByTag = new Map<string, Set<Entry>>()
  const entriesOf = new Map<Waiting, { readonly tag: string; readonly entry: Entry }[]>()
  const all = new Map<Waiting, number>()
  const due = new Map<Waiting, Set<number>>()
  let perTick = startPerTick
  let lastTickMs = 0
  let ticking: ReturnType<typeof setTimeout> | undefined
  let beating: ReturnType<typeof setInterval> | undefined
  let slice = 0

  function tick(): void {
    const lagMs = performance.now() - lastTickMs - tickMs
    if (lagMs < idleLagMs) perTick = Math.min(perTick * 1.15 + 1, mostPerTick)
    else if (lagMs > busyLagMs) perTick = Math.max(perTick / 2, leastPerTick)
    let left = Math.floor(perTick)
    for (const [waiting, places] of due) {
      if (left-- <= 0) break
      due.delete(waiting)
      waiting.changed([...places])
    }
    ticking = undefined
    schedule()
  }

  function schedule(): void {
    if (ticking || due.size === 0) return
    lastTickMs = performance.now()
    ticking = setTimeout(tick, tickMs)
  }

  function beat(): void {
    slice = (slice + 1) % slices
    for (const [waiting, own] of all) if (own === slice) waiting.heartbeat()
  }

  return {
    add(waiting: Waiting, subscriptions: readonly { place: number; tags: readonly string[] }[]) {
      all.set(waiting, (slice + slices - 1) % slices)
      beating ??= setInterval(beat, heartbeatMs / slices)
      beating.unref?.()
      const own = subscriptions.flatMap(({ place, tags }) => {
        const entry = { waiting, place }
        return tags.map((tag) => ({ tag, entry }))
      })
      for (const { tag, entry } of own) {
        const entries = entriesByTag.get(tag)
        if (entries) entries.add(entry)
        else entriesByTag.set(tag, new Set([entry]))
      }
      entriesOf.set(waiting, own)
    },
    remove(waiting: Waiting): void {
      for (const { tag, entry } of entriesOf.get(waiting) ?? []) {
        const entries = entriesByTag.get(tag)
        entries?.delete(entry)
        if (entries?.size === 0) entriesByTag.delete(tag)
      }
      entriesOf.delete(waiting)
      all.delete(waiting)
      due.delete(waiting)
      if (all.size > 0) return
      clearInterval(beating)
      beating = undefined
    },
    /** @param tags `all` when they are not known */
    invalidate(tags: readonly string[] | 'all'): void {
      const changed = tags === 'all' ? [...entriesByTag.keys()] : [...tags, everything]
      for (const tag of changed) {
        for (const { waiting, place } of entriesByTag.get(tag) ?? []) {
          const places = due.get(waiting)
          if (places) places.add(place)
          else due.set(waiting, new Set([place]))
        }
      }
      schedule()
    },
    size: () => all.size,
    endAll(): void {
      for (const waiting of [...all.keys()]) waiting.end()
    },
  }
}

export type Hub = ReturnType<typeof createHub>
