import { segmentProblem } from './canonical.ts'
import type { UrlSegment } from './segment.ts'

/** The values of a route's params, decoded; a list for rest segments. */
export type Params = Readonly<Record<string, string | readonly string[]>>

/**
 * A pathname's segments, decoded once.
 * @returns `null` for a pathname that `parseTarget` would not let pass: one may also be cut from
 * the URL of page data, or be what a client says it navigates from
 */
export function splitPathname(pathname: string): readonly string[] | null {
  if (pathname === '/') return []
  if (!pathname.startsWith('/')) return null
  const written = pathname.slice(1).split('/')
  const segments = pathname.includes('%') ? decodeAll(written) : written
  return segments?.every((segment) => segmentProblem(segment) === null) ? segments : null
}

function decodeAll(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}

/**
 * Adds what one segment of a pattern takes from a path.
 * @param index of the segment in its pattern
 * @returns the same params when the segment takes none
 */
export function withParam(
  params: Params,
  segment: UrlSegment | undefined,
  index: number,
  segments: readonly string[],
): Params {
  switch (segment?.kind) {
    case 'dynamic':
      return { ...params, [segment.param]: segments[index] ?? '' }
    case 'rest':
      return { ...params, [segment.param]: segments.slice(index) }
    case 'optional-rest':
      // Absent rather than empty, as `{ slug?: string[] }` says.
      return index < segments.length
        ? { ...params, [segment.param]: segments.slice(index) }
        : params
    default:
      return params
  }
}

/**
 * Tells whether a path lies at or below a pattern.
 */
export function liesBelow(segments: readonly string[], pattern: readonly UrlSegment[]): boolean {
  return pattern.every((expected, index) => {
    const segment = segments[index]
    switch (expected.kind) {
      case 'static':
        return segment === expected.name
      case 'optional-rest':
        return true
      default:
        return segment !== undefined
    }
  })
}
