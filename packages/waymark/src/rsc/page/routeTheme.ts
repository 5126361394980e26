import type { MatchedFolder, MatchedSegment } from '../../routing/matched.ts'
import type { RouteFile } from './routeModules.ts'

/** What is needed to find the theme of a route. */
export type RouteThemeSource = {
  readonly fileOf: (path: string) => RouteFile
  /** Tells whether a value is the name of a theme; any other is as good as none. */
  readonly isTheme: (value: unknown) => value is string
}

/**
 * Finds the theme that a route insists on: what its page exports as `theme`, or else the
 * innermost of its layouts.
 * @param screen the place where a screen is shown instead: what that replaces doesn't count
 */
export function themeOfRoute(
  root: MatchedSegment,
  { fileOf, isTheme }: RouteThemeSource,
  screen: { readonly segment: MatchedFolder; readonly slot: string } | null = null,
): string | null {
  let theme: string | null = null
  for (let segment: MatchedSegment | undefined = root; segment; ) {
    const path = pathOf(segment)
    const asked = path ? fileOf(path).module.theme : null
    if (isTheme(asked)) theme = asked
    if (segment.kind !== 'folder') return theme
    // A screen in another slot leaves the page where it is.
    if (segment === screen?.segment && screen.slot === 'children') return theme
    segment = segment.slots.children
  }
  return theme
}

function pathOf(segment: MatchedSegment): string | null | undefined {
  if (segment.kind === 'folder') return segment.node.files.layout
  return segment.kind === 'not-found' ? null : segment.page
}
