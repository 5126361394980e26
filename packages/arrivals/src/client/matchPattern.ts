/**
 * Finds the pattern of a pathname's route, such as `/blog/[slug]` for `/blog/hello`.
 * @param patterns the most specific ones first @param pathname canonical, without the base path
 * @returns `null` if no route matches
 */
export function matchPattern(patterns: readonly string[], pathname: string): string | null {
  return patterns.find((pattern) => isMatch(segmentsOf(pattern), segmentsOf(pathname))) ?? null
}

function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [at, segment] of pattern.entries()) {
    if (segment.startsWith('[[...')) return true
    const pathSegment = path[at]
    if (pathSegment === undefined) return false
    if (segment.startsWith('[...')) return true
    if (!segment.startsWith('[') && decoded(segment) !== decoded(pathSegment)) return false
  }
  return pattern.length === path.length
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // The segment has a percent sign that encodes nothing.
    return segment
  }
}
