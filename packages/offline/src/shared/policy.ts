/** Name of the `<meta>` by which a page says whether it may be kept. */
export const policyName = 'waymark-offline'

/**
 * Reads what a document says, in its page and its layouts: for how many seconds it may be kept
 * although it is private; 0: not at all; infinite where it says nothing. The strictest counts. Only
 * the head may allow: content may be HTML that somebody else wrote. All of the document may forbid: a
 * part that is streamed late has its `<meta>` in the body.
 */
export function readPolicy(html: string): number {
  const [head = ''] = html.split('</head>')
  const strictest = strictestIn(html)
  return strictest > 0 && strictestIn(head) === Infinity ? Infinity : strictest
}

function strictestIn(html: string): number {
  const policies = html.matchAll(/<meta name="waymark-offline" content="(\d+)"/g)
  const seconds = Array.from(policies, ([, digits]) => Number(digits))
  return Math.min(...seconds)
}
