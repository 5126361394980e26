/** Name of the `<meta>` by which a page says whether it may be kept. */
export const policyName = 'waymark-offline'

/** What a page says of itself; `privateForSeconds`: it may be kept although it is private. */
export type Policy = { readonly keep: boolean; readonly privateForSeconds: number | null }

export function writePolicy({ keep, privateForSeconds }: Policy): string {
  return keep ? `private ${privateForSeconds}` : 'no'
}

/**
 * Reads what a document says, in its page and its layouts: the strictest counts. Text of a user is
 * not mistaken for it: its quotes are escaped in HTML, and in the payload.
 */
export function readPolicy(html: string): Policy {
  const tags = html.matchAll(/<meta name="waymark-offline" content="(no|private (\d+))"/g)
  const said = [...tags].map(([, content, seconds]) => ({ content, seconds: Number(seconds) }))
  const limits = said.filter(({ content }) => content !== 'no').map(({ seconds }) => seconds)
  return {
    keep: said.every(({ content }) => content !== 'no'),
    privateForSeconds: limits.length > 0 ? Math.min(...limits) : null,
  }
}
