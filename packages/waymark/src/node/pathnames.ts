// What encodeURI leaves as it is, without `%`, `?`, `#` and what ends or splits a path elsewhere.
const plainPathname = /^[\w\-.~!$&'()*+,;=:@/]*$/

/**
 * Brings the path of a request's target to the one form that static files are kept under.
 * @param target path and query, as sent
 * @returns `null` when the path can't be that of a file: malformed percent-encoding, or an
 *   encoded slash, backslash, NUL or dot segment
 */
export function canonicalPathname(target: string): string | null {
  const queryStart = target.search(/[?#]/)
  const pathname = queryStart === -1 ? target : target.slice(0, queryStart)
  if (plainPathname.test(pathname)) return pathname
  const segments: string[] = []
  for (const raw of pathname.split('/')) {
    const segment = decodeSegment(raw)
    if (segment === null) return null
    segments.push(segment)
  }
  return encodePathname(segments.join('/'))
}

/**
 * Percent-encodes the path of a file as `canonicalPathname` gives it back.
 * @param pathname decoded; slashes divide it
 */
export function encodePathname(pathname: string): string {
  return encodeURI(pathname).replace(/[?#]/g, encodeURIComponent)
}

function decodeSegment(raw: string): string | null {
  let segment: string
  try {
    segment = decodeURIComponent(raw)
  } catch {
    return null
  }
  if (segment.includes('/') || segment.includes('\\') || segment.includes('\0')) return null
  const isEncodedDots = raw !== segment && (segment === '.' || segment === '..')
  return isEncodedDots || !segment.isWellFormed() ? null : segment
}
