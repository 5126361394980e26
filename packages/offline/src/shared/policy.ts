/** Name of the `<meta>` element with which a page sets if it may be cached. */
export const policyName = 'waymark-offline'

/**
 * Returns the number of seconds for which a document may be cached although it is private. 0
 * forbids caching, and Infinity means that the document doesn't say. If the page and its layouts
 * disagree, the strictest value counts. Only an element in the head can allow caching, because the
 * body may contain HTML from somebody else. An element anywhere can forbid it, because React
 * streams late elements into the body.
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
