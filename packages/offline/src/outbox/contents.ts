import { type Entry, type NewEntry, waiting } from './entry.ts'
import type { EntryStore } from './entryStore.ts'
import { inTime } from './inTime.ts'
import { maxAgeMs, maxBytes, maxEntries, storeMs } from './limits.ts'
import { outboxState } from './outboxState.ts'
import { outboxTexts } from './outboxTexts.ts'

export type Contents = ReturnType<typeof createContents>

type ContentsOptions = {
  readonly store: EntryStore
  readonly owner: () => string | null
  readonly now: () => number
  readonly onOtherTab: () => void
}

const channelName = 'waymark-outbox'

/** Manages the current user's entries. All tabs show the same ones. */
export function createContents({ store, owner, now, onOtherTab }: ContentsOptions) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)
  channel?.addEventListener('message', onOtherTab)

  async function withAge(entry: Entry): Promise<Entry> {
    const isOld = now() - entry.madeAtMs > maxAgeMs
    if (!isOld || entry.received || entry.state.kind !== 'waiting') return entry
    return (await store.update(entry.id, tooOld)) ?? entry
  }
  /** Lists the entries in order of creation. */
  async function list(): Promise<readonly Entry[]> {
    const all = await store.list()
    return Promise.all(all.filter((entry) => entry.owner === owner()).map(withAge))
  }
  /** Publishes the entries to the app. @returns all entries, including those that aren't shown */
  async function show(): Promise<readonly Entry[]> {
    // If storage fails, show an empty list.
    const entries = await list().catch(() => [])
    // If code still awaits an entry, that code shows its progress, so don't list it.
    const isListed = (entry: Entry) => !isOpen(entry) || entry.awaitedUntilMs <= now()
    outboxState.show(entries.filter(isListed))
    return entries
  }
  return {
    list,
    show,
    changed(): Promise<readonly Entry[]> {
      channel?.postMessage('changed')
      return show()
    },
    /** @returns the entry's id; `failed` if it isn't stored; `late` if it may still get stored */
    add(entry: NewEntry): Promise<number | 'full' | 'noSpace' | 'failed' | 'late'> {
      const adding = addIfFits({ store, now }, entry).catch((error: Error | null) =>
        error?.name === 'QuotaExceededError' ? ('noSpace' as const) : ('failed' as const),
      )
      return inTime(adding, storeMs).catch(() => {
        // The caller sends the call without storing it. If the entry gets stored after all, remove
        // it.
        void adding.then((id) => (typeof id === 'number' ? store.remove(id) : null)).catch(() => {})
        return 'late'
      })
    },
    /** Marks entries that waited for a sign-in as ready to be sent. */
    async revive(): Promise<void> {
      for (const { id, state } of await list()) {
        if (state.kind !== 'needs-attention' || state.problem.kind !== 'sign-in') continue
        await store.update(id, (entry) => ({ ...entry, state: waiting }))
      }
    },
    /**
     * Gives entries to a new owner, when an anonymous session continues with a different session
     * mark.
     */
    async move(from: string | null, to: string | null): Promise<void> {
      const moved = (await store.list()).filter((entry) => entry.owner === from)
      for (const { id } of moved) await store.update(id, (entry) => ({ ...entry, owner: to }))
    },
  }
}

async function addIfFits(
  { store, now }: Pick<ContentsOptions, 'store' | 'now'>,
  entry: NewEntry,
): Promise<number | 'full'> {
  const all = await store.list()
  const hasSameOwner = (each: Entry) => each.owner === entry.owner
  if (!fits([...all.filter(hasSameOwner), entry], 1)) return 'full'
  // Never delete entries that other users can still send, only those that are too old.
  const isOver = (each: Entry) => !hasSameOwner(each) && now() - each.madeAtMs > maxAgeMs
  const left = new Set<NewEntry>([...all, entry])
  const removed = all.filter(isOver).filter((each) => !fits([...left], 2) && left.delete(each))
  if (!fits([...left], 2)) return 'full'
  for (const { id } of removed) await store.remove(id)
  return store.add(entry)
}

/** @param users number of users to leave room for */
function fits(entries: readonly NewEntry[], users: number): boolean {
  const bytes = entries.reduce((sum, each) => sum + each.bytes, 0)
  return entries.length <= maxEntries * users && bytes <= maxBytes * users
}

/** True if the entry is sent automatically. */
export function isOpen({ state }: Pick<Entry, 'state'>): boolean {
  return state.kind !== 'needs-attention'
}

function tooOld(entry: Entry): Entry {
  const problem = { kind: 'too-old', message: outboxTexts.tooOld } as const
  return { ...entry, state: { kind: 'needs-attention', problem } }
}
