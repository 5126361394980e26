import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead, themeScript } from '../../theme/themeScript.ts'
import { type LoadedRouteFile, mainSegments, renderedFile } from './routeModules.ts'

/** What rendering needs of the app's themes. */
export type AppTheme = ReturnType<typeof createAppTheme>

/** Writes the heads of an app's documents once: one for each theme that a route may insist on. */
export function createAppTheme(config: ThemeConfig) {
  const preferredHead = themeHead(config)
  const forcing = new Map(config.themes.map(({ name }) => [name, themeHead(config, name)]))
  return {
    config,
    /** The text of the pre-paint script, the same in every document: for a hash of it. */
    script: themeScript(config),
    /** Tells whether a value is the name of a theme. */
    isTheme: (value: unknown): value is string => typeof value === 'string' && forcing.has(value),
    /** HTML for the start of the head. @param forced the theme that the route insists on */
    headStart: (forced: string | null): string =>
      (forced === null ? undefined : forcing.get(forced)) ?? preferredHead,
  }
}

export type RouteThemeSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly isTheme: (value: unknown) => value is string
}

/**
 * The `theme` that the page exports, or else the innermost of its layouts.
 * @param screen what this place of a screen replaces doesn't count
 */
export function themeOfRoute(
  root: MatchedSegment,
  { fileOf, isTheme }: RouteThemeSource,
  screen: { readonly segment: MatchedFolder; readonly slot: string } | null = null,
): string | null {
  let theme: string | null = null
  for (const segment of mainSegments(root)) {
    const path = segment.kind === 'not-found' ? null : renderedFile(segment)
    const requested = path ? fileOf(path).module.theme : null
    if (isTheme(requested)) theme = requested
    // A screen in another slot leaves the page where it is.
    if (segment === screen?.segment && screen.slot === 'children') break
  }
  return theme
}
