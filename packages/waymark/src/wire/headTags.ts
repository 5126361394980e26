/**
 * Attribute of the tags that come from the metadata of layouts and pages. A component may render such a tag, too, and
 * then replaces the tag that has this attribute.
 */
export const metadataMark = 'data-waymark-metadata'

/** A kind of tag of which a document needs one, such as the title or the description. */
export type HeadTagKind = {
  readonly name: string
  /** False if a component may render several tags of the kind, for example one `theme-color` for each colour scheme. */
  readonly isSingle: boolean
}

/** The attributes that decide the kind of a tag. */
type HeadTag = {
  readonly type: string
  /** The value of `rel` for a `<link>`, and of `name` or `property` for a `<meta>`. */
  readonly name: string | null | undefined
}

/**
 * Returns the kind of a tag, or `null` if tags from metadata and from components add up, as with icons and `robots`.
 * Search engines combine several `robots`, and obey the strictest.
 */
export function headTagKind({ type, name }: HeadTag): HeadTagKind | null {
  if (type === 'title') return { name: 'title', isSingle: true }
  if (!name) return null
  if (type === 'link') return name === 'canonical' ? { name, isSingle: true } : null
  if (singleNames.has(name)) return { name, isSingle: true }
  if (name === 'theme-color') return { name, isSingle: false }
  // Treat `og:image:alt` as a part of `og:image`, because the details belong to one image.
  const social = socialName.exec(name)?.[0]
  return social ? { name: social, isSingle: false } : null
}

const singleNames: ReadonlySet<string> = new Set([
  'application-name',
  'color-scheme',
  'description',
  'generator',
  'keywords',
  'referrer',
  'viewport',
])

const socialName = /^(?:og|twitter):[^:]+/

type ReplaceableTag = { readonly kind: HeadTagKind; readonly isFromMetadata: boolean }

/**
 * Returns the tags that other tags replace: a tag from the metadata if a component renders one of its kind, and of
 * several rendered tags all but the last.
 * @param tags in the order of the document
 */
export function replacedTags<Tag extends ReplaceableTag>(tags: readonly Tag[]): Tag[] {
  const lastRendered = new Map<string, Tag>()
  for (const tag of tags) if (!tag.isFromMetadata) lastRendered.set(tag.kind.name, tag)
  return tags.filter((tag) => {
    const last = lastRendered.get(tag.kind.name)
    return last !== undefined && tag !== last && (tag.isFromMetadata || tag.kind.isSingle)
  })
}
