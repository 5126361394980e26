import { type Computed, toEntry } from './computed.ts'
import type { MemoryDriver } from './memory.ts'
import { boundedName } from './names.ts'
import type { SharedStore } from './sharedStore.ts'

/** Takes in a value that was made before this process began, unless there is an entry already. */
export async function offerMade(
  made: { readonly key: string; readonly computed: Computed; readonly atMs: number },
  { memory, shared }: { readonly memory: MemoryDriver; readonly shared: SharedStore },
): Promise<void> {
  const name = boundedName(made.key)
  await shared.lookUp(name)
  if (memory.get(name)) return
  const entry = toEntry(made.computed, made.atMs, 0)
  if (!shared.isAttached) return memory.set(name, entry)
  // The driver knows what was invalidated before this process began: it is asked what is left.
  await shared.set(name, entry)
  await shared.lookUp(name)
}
