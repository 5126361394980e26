/** Content type of a JSON error. @see RFC 9457 */
export const problemType = 'application/problem+json'

type Weighted = { readonly name: string; readonly q: number }

/** Parses `accept` and similar headers. An invalid weight counts as 0. RFC 9110 §12.4.2 */
export function parseWeighted(header: string): Weighted[] {
  return header
    .toLowerCase()
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      const q = weight === undefined ? 1 : Number(weight.slice(2))
      return { name, q: q >= 0 && q <= 1 ? q : 0 }
    })
}

/** True if the client prefers JSON to HTML. Without the header or with equal weights, HTML wins. RFC 9110 §12.5.1 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false
  const ranges = parseWeighted(accept)
  const json = Math.max(quality(ranges, 'application/json'), quality(ranges, problemType))
  return json > quality(ranges, 'text/html')
}

// Returns the weight of a type. The most specific range that includes the type decides.
function quality(ranges: readonly Weighted[], type: string): number {
  for (const candidate of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find(({ name }) => name === candidate)
    if (range) return range.q
  }
  return 0
}
