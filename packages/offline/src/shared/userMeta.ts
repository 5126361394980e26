/** Name of the `<meta>` element with which a document names the signed-in user. */
export const userMetaName = 'waymark-offline-user'

/**
 * Builds the `<meta>` element's content, without characters that HTML escapes.
 * @param id `null` if nobody is signed in
 */
export function userMetaContent(id: string | null): string {
  return encodeURIComponent(JSON.stringify(id)).replaceAll("'", '%27')
}

/**
 * Reads the signed-in user from a document, the inverse of `userMetaContent`. Only an element in the head
 * names the user, because the body may contain HTML from somebody else. Returns `undefined` if the head
 * has no such element, or if another element of the document contradicts it.
 */
export function readUser(html: string): string | null | undefined {
  const [head = ''] = html.split('</head>')
  const userTags = userTagsIn(
    head.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''),
  )
  if (userTags.length === 0 || new Set([...userTags, ...userTagsIn(html)]).size > 1)
    return undefined
  try {
    const id: unknown = JSON.parse(decodeURIComponent(userTags[0] ?? ''))
    return id === null || typeof id === 'string' ? id : undefined
  } catch {
    // Ignore the element, because another program wrote its content.
    return undefined
  }
}

function userTagsIn(html: string): string[] {
  const matches = html.matchAll(/<meta name="waymark-offline-user" content="([^"]*)"/g)
  return [...matches].map(([, content = '']) => content)
}

/** Returns the owner in the form that `currentOwner` uses. */
export function ownerOfUser(id: string | null): string | null {
  return id === null ? null : `user ${id}`
}
