/** Name of the `<meta>` by which a page says whether it may be kept. */
export const policyName = 'waymark-offline'

/**
 * Reads what a document says, in its page and its layouts: for how many seconds it may be kept
 * although it is private; 0: not at all; infinite where it says nothing. The strictest counts. Only
 * the head says so: a page's content may be HTML that somebody else wrote.
 */
export function readPolicy(html: string): number {
  const [head = ''] = html.split('</head>')
  const said = head.matchAll(/<meta name="waymark-offline" content="(\d+)"/g)
  return Math.min(...[...said].map(([, seconds]) => Number(seconds)))
}
