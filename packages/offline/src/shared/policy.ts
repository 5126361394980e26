/** Name of the `<meta>` by which a page says whether it may be kept. */
export const policyName = 'waymark-offline'

/**
 * Reads what a document says, in its page and its layouts: for how many seconds it may be kept
 * although it is private; 0: not at all; infinite where it says nothing. The strictest counts. Text
 * of a user is not mistaken for it: its quotes are escaped in HTML, and in the payload.
 */
export function readPolicy(html: string): number {
  const said = html.matchAll(/<meta name="waymark-offline" content="(\d+)"/g)
  return Math.min(...[...said].map(([, seconds]) => Number(seconds)))
}
