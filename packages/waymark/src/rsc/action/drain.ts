import { isThenable } from '../../shared/isThenable.ts'

/**
 * Finds what React has decoded to come later, or to be read once: promises, streams, iterators.
 * Nothing is run for it: a client can send no function.
 * @param seen what was looked through already
 */
export function findLazy(root: unknown, seen: Set<object> = new Set()): object[] {
  const lazy: object[] = []
  // A list, no recursion: the rows of a body may refer to each other a thousand deep.
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isThenable(value) || isReadOnce(value)) lazy.push(value)
    else for (const each of childrenOf(value)) pending.push(each)
  }
  return lazy
}

/**
 * Waits for all promises in what was decoded, and reads its streams and iterators to their ends.
 * @returns whether any was read: then it can't be read again
 * @throws what a promise, stream or iterator fails with
 */
export async function drain(root: unknown): Promise<boolean> {
  const seen = new Set<object>()
  const pending = findLazy(root, seen)
  let isRead = false
  for (let lazy = pending.pop(); lazy !== undefined; lazy = pending.pop()) {
    if (isThenable(lazy)) {
      pending.push(...findLazy(await lazy, seen))
      continue
    }
    isRead = true
    for await (const item of lazy as AsyncIterable<unknown>) pending.push(...findLazy(item, seen))
  }
  return isRead
}

// Streams are async iterables; an iterator has a function, which nothing else of a client's has.
function isReadOnce(value: object): boolean {
  return Symbol.asyncIterator in value || typeof (value as { next?: unknown }).next === 'function'
}

function* childrenOf(value: object): Iterable<unknown> {
  if (ArrayBuffer.isView(value)) return
  if (value instanceof Map) {
    for (const [key, each] of value) {
      yield key
      yield each
    }
  } else if (value instanceof Set) yield* value
  else yield* Object.values(value)
}
