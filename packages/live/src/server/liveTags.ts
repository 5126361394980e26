/** Tag that makes a page live. Cached functions pass their tags on to everything that reads them. */
export const allReads = 'waymark:live'

const namedPrefix = 'waymark:live:'

/**
 * Returns the tags that make a page follow a tag. They include the tag itself, because invalidating
 * it must also end a cached page.
 */
export const named = (tag: string): readonly string[] => [namedPrefix + tag, tag]

// Limits for a page's tags. A page that reads more tags, or longer ones, follows everything.
const maxTags = 500
const maxTagLength = 200
const maxBytes = 12_000
// Different caches encode these characters in different ways, so tags that contain them can't be
// followed by name.
const unsafe = /[\p{Cc}\p{Cs}]/u

/** Tag that stands for every tag. */
export const everything = '*'

/**
 * Returns the tags that a page follows.
 * @param read tags of everything that the page has read @param pathTags tags of its path
 * @returns `null` if the page isn't live
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
