/** Name of the `<meta>` by which a document says who is signed in. */
export const userMetaName = 'waymark-offline-user'

/** Content of that `<meta>`, without what HTML would escape. @param id `null`: nobody is signed in */
export function userMetaContent(id: string | null): string {
  return encodeURIComponent(JSON.stringify(id)).replaceAll("'", '%27')
}

/**
 * Reads who is signed in, the inverse of `userMetaContent`; `undefined` where a document does not say
 * so. Only the head is believed: content may be HTML that somebody else wrote. But all of the document
 * may contradict it.
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
    // Another program has written it.
    return undefined
  }
}

function userTagsIn(html: string): string[] {
  const matches = html.matchAll(/<meta name="waymark-offline-user" content="([^"]*)"/g)
  return [...matches].map(([, content = '']) => content)
}

/** Who it is, as `currentOwner` has it. */
export function ownerOfUser(id: string | null): string | null {
  return id === null ? null : `user ${id}`
}
