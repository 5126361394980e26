import 'server-only'

/** Words of one visitor, by their idempotency keys. */
type Words = Map<string, string>

const maxVisitors = 1_000
const maxWords = 12
const maxLength = 40

const byVisitor = new Map<string, Words>()

/** Stores a word. A second word with the same key replaces the first one. */
export function storeWord(visitor: string, key: string, word: string): void {
  const words: Words = byVisitor.get(visitor) ?? new Map()
  byVisitor.delete(visitor)
  byVisitor.set(visitor, words)
  words.set(key, word.trim().slice(0, maxLength))
  removeOldest(words, maxWords)
  removeOldest(byVisitor, maxVisitors)
}

export function wordsOf(visitor: string): readonly string[] {
  return [...(byVisitor.get(visitor)?.values() ?? [])]
}

function removeOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
