import { tryOrUndefined } from '../shared/neverThrows.ts'

// Matches pathnames that need no encoding: they only have characters that encodeURI leaves
// unchanged, without `%`, `?` and `#`.
const plainPathname = /^[\w\-.~!$&'()*+,;=:@/]*$/

/**
 * Normalizes the path of a target. Static files are keyed by this form.
 * @param target path and query, as sent
 * @returns `null` for an invalid path: malformed percent-encoding, or an encoded slash, backslash,
 * NUL or dot segment
 */
export function canonicalPathname(target: string): string | null {
  const queryStart = target.search(/[?#]/)
  const pathname = queryStart === -1 ? target : target.slice(0, queryStart)
  if (plainPathname.test(pathname)) return pathname
  const segments = pathname.split('/').map(decodeSegment)
  return segments.includes(null) ? null : encodePathname(segments.join('/'))
}

/** Percent-encodes a pathname, including `?` and `#`. Doesn't encode slashes. */
export function encodePathname(pathname: string): string {
  return encodeURI(pathname).replace(/[?#]/g, encodeURIComponent)
}

function decodeSegment(raw: string): string | null {
  const segment = tryOrUndefined(() => decodeURIComponent(raw))
  if (segment === undefined || /[/\\\0]/.test(segment)) return null
  const isEncodedDots = raw !== segment && (segment === '.' || segment === '..')
  return isEncodedDots || !segment.isWellFormed() ? null : segment
}
