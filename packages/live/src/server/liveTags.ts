/** Tags that make a page live: cached functions pass theirs on to whoever reads them. */
export const allReads = 'waymark:live'

const namedPrefix = 'waymark:live:'

/** What makes a page live for a tag, whose end is the end of the page where it is cached. */
export const named = (tag: string): readonly string[] => [namedPrefix + tag, tag]

// A page that reads more, or longer ones, follows everything.
const maxTags = 500
const maxTagLength = 200
const maxBytes = 12_000
// Caches know such a tag by another name.
const unsafe = /[\p{Cc}\p{Cs}]/u

/** Stands for every tag. */
export const everything = '*'

/**
 * Tells what a page follows.
 * @param read the tags of all that it has read @param pathTags of its path
 * @returns `null` when it is not live
 */
export function followedTags(
  read: ReadonlySet<string>,
  pathTags: () => readonly string[],
): readonly string[] | null {
  const tags = new Set<string>()
  for (const tag of read) if (tag.startsWith(namedPrefix)) tags.add(tag.slice(namedPrefix.length))
  if (read.has(allReads)) {
    for (const tag of read) if (!tag.startsWith(allReads)) tags.add(tag)
    for (const tag of pathTags()) tags.add(tag)
  }
  if (tags.size === 0) return null
  return areBounded(tags) ? [...tags].sort() : [everything]
}

function areBounded(tags: ReadonlySet<string>): boolean {
  let bytes = 0
  for (const tag of tags) {
    if (tag.length > maxTagLength || unsafe.test(tag)) return false
    bytes += Buffer.byteLength(tag) + 3
  }
  return tags.size <= maxTags && bytes <= maxBytes
}
