import { everything } from './liveTags.ts'
import { createNotifyQueue } from './notifyQueue.ts'

/** A waiting connection. `places` are the indexes of its pages in the request. */
export type Waiting = {
  changed(places: readonly number[]): void
  heartbeat(): void
}

type Entry = { readonly waiting: Waiting; readonly place: number }

/** Tags of one of a connection's pages. */
type Page = { readonly place: number; readonly tags: readonly string[] }

/**
 * Maximum number of tags for one connection. Each tag takes memory while the connection is open.
 */
const maxTags = 2_000
/**
 * Maximum number of tags for all connections. Above it, a new connection may only follow a few
 * tags.
 */
const maxTagsInAll = 500_000
const sharedTags = 32

/** Number of groups whose heartbeats are written one after another. */
const slices = 60

/** Creates the index of waiting connections, by the tags that they follow. */
export function createHub(heartbeatMs: number) {
  const byTag = new Map<string, Set<Entry>>()
  const all = new Map<
    Waiting,
    { readonly slice: number; readonly tagEntries: readonly Followed[] }
  >()
  const notifyQueue = createNotifyQueue<Waiting>((waiting, places) => waiting.changed(places))
  let beating: ReturnType<typeof setInterval> | undefined
  let slice = 0
  let followed = 0

  function beat(): void {
    slice = (slice + 1) % slices
    for (const [waiting, connection] of all) if (connection.slice === slice) waiting.heartbeat()
  }

  return {
    add(waiting: Waiting, pages: readonly Page[]): void {
      const most = followed < maxTagsInAll ? maxTags : sharedTags
      const tagEntries = withinLimit(pages, most).flatMap(({ place, tags }) => {
        const entry = { waiting, place }
        return tags.map((tag) => ({ tag, entry }))
      })
      for (const { tag, entry } of tagEntries) addTo(byTag, tag, entry)
      all.set(waiting, { slice, tagEntries })
      followed += tagEntries.length
      beating ??= setInterval(beat, heartbeatMs / slices)
      beating.unref?.()
    },
    remove(waiting: Waiting): void {
      const tagEntries = all.get(waiting)?.tagEntries ?? []
      for (const { tag, entry } of tagEntries) removeFrom(byTag, tag, entry)
      all.delete(waiting)
      followed -= tagEntries.length
      notifyQueue.drop(waiting)
      if (all.size > 0) return
      clearInterval(beating)
      beating = undefined
    },
    /** @param tags `all` if they are unknown */
    invalidate(tags: readonly string[] | 'all'): void {
      const changed = tags === 'all' ? [...byTag.keys()] : [...tags, everything]
      for (const tag of changed) {
        for (const { waiting, place } of byTag.get(tag) ?? []) notifyQueue.add(waiting, place)
      }
    },
    size: () => all.size,
  }
}

export type Hub = ReturnType<typeof createHub>

/** A page above the limit follows everything instead of its tags. */
function withinLimit(pages: readonly Page[], most: number): readonly Page[] {
  let left = most
  return pages.map((page) => {
    left -= page.tags.length
    return left >= 0 ? page : { ...page, tags: [everything] }
  })
}

type Followed = { readonly tag: string; readonly entry: Entry }

function addTo(byTag: Map<string, Set<Entry>>, tag: string, entry: Entry): void {
  const entries = byTag.get(tag)
  if (entries) entries.add(entry)
  else byTag.set(tag, new Set([entry]))
}

function removeFrom(byTag: Map<string, Set<Entry>>, tag: string, entry: Entry): void {
  const entries = byTag.get(tag)
  entries?.delete(entry)
  if (entries?.size === 0) byTag.delete(tag)
}
