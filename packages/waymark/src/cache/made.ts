import { type Computed, toEntry } from './computed.ts'
import type { MemoryDriver } from './memory.ts'
import { normalizeKey } from './names.ts'
import type { SharedStore } from './sharedStore.ts'

/** A value that was made apart from the cache, and when. */
export type SeedEntry = { readonly key: string; readonly computed: Computed; readonly atMs: number }

/** Where it is kept. */
export type Stores = { readonly memory: MemoryDriver; readonly shared: SharedStore }

/** Takes in a value that was made before this process began, unless there is an entry already. */
export async function seedEntry(made: SeedEntry, { memory, shared }: Stores): Promise<void> {
  const name = normalizeKey(made.key)
  await shared.lookUp(name)
  if (memory.get(name)) return
  const entry = toEntry(made.computed, made.atMs, 0)
  if (!shared.isAttached) return memory.set(name, entry)
  // The driver knows what was invalidated before this process began: it is asked what is left.
  await shared.set(name, entry)
  await shared.lookUp(name)
}

/** Takes in a value that was computed just now. */
export async function storeComputed(made: SeedEntry, { memory, shared }: Stores): Promise<void> {
  const name = normalizeKey(made.key)
  const entry = toEntry(made.computed, made.atMs, memory.position())
  memory.set(name, entry)
  await shared.set(name, { ...entry, position: shared.position() })
}
