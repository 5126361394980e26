/** Tags that make a page live: cached functions pass theirs on to whoever reads them. */
export const allReads = 'waymark:live'

const namedPrefix = 'waymark:live:'

export const named = (tag: string): string => namedPrefix + tag

// A page that reads more, or longer ones, follows everything.
const maxTags = 500
const maxTagLength = 200

/** Stands for every tag. */
export const everything = '*'

/**
 * Tells what a page follows.
 * @param read the tags of all that it has read @param own of its path
 * @returns `null` when it is not live
 */
export function followedTags(
  read: ReadonlySet<string>,
  own: () => readonly string[],
): readonly string[] | null {
  const tags = new Set<string>()
  for (const tag of read) if (tag.startsWith(namedPrefix)) tags.add(tag.slice(namedPrefix.length))
  if (read.has(allReads)) {
    for (const tag of read) if (!tag.startsWith(allReads)) tags.add(tag)
    for (const tag of own()) tags.add(tag)
  }
  if (tags.size === 0) return null
  const isBounded = tags.size <= maxTags && [...tags].every(({ length }) => length <= maxTagLength)
  return isBounded ? [...tags].sort() : [everything]
}
