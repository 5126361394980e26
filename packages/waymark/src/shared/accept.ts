/** Media type of an error's description for programs. @see RFC 9457 */
export const problemType = 'application/problem+json'

/**
 * Tells whether a client wants JSON rather than HTML.
 * @param accept the request's `Accept`; `null` and a tie mean HTML
 * @see RFC 9110 §12.5.1
 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false
  const ranges = accept.split(',').map(parseRange)
  const json = Math.max(quality(ranges, 'application/json'), quality(ranges, problemType))
  return json > quality(ranges, 'text/html')
}

type Range = { readonly type: string; readonly q: number }

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const value = q === undefined ? 1 : Number(q.slice(2))
  return { type, q: value >= 0 && value <= 1 ? value : 0 }
}

// The most specific range that covers the type decides.
function quality(ranges: readonly Range[], type: string): number {
  const family = `${type.split('/')[0]}/*`
  for (const candidate of [type, family, '*/*']) {
    const range = ranges.find((range) => range.type === candidate)
    if (range !== undefined) return range.q
  }
  return 0
}
