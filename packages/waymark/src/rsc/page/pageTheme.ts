import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead, themeScript } from '../../theme/themeScript.ts'
import { type LoadedRouteFile, mainSegments, renderedFile } from './routeModules.ts'

/** The parts of the app's themes that rendering needs. */
export type AppTheme = ReturnType<typeof createAppTheme>

/** Writes the theme's part of document heads once: one for each theme that a route may force. */
export function createAppTheme(config: ThemeConfig) {
  const preferredHead = themeHead(config)
  const forcing = new Map(config.themes.map(({ name }) => [name, themeHead(config, name)]))
  return {
    config,
    /** Text of the script that runs before the first paint. It never changes, so a policy can have its hash. */
    script: themeScript(config),
    /** True if a value is the name of a theme. */
    isTheme: (value: unknown): value is string => typeof value === 'string' && forcing.has(value),
    /** Returns HTML for the start of the head. @param forced the theme that the route requires */
    headStart: (forced: string | null): string =>
      (forced === null ? undefined : forcing.get(forced)) ?? preferredHead,
  }
}

export type RouteThemeSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly isTheme: (value: unknown) => value is string
}

/**
 * Returns the `theme` that the page exports, or else the one of the innermost layout that exports it.
 * @param screen the place of a screen: the part that it replaces is ignored
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
    // A screen in another slot leaves the page visible.
    if (segment === screen?.segment && screen.slot === 'children') break
  }
  return theme
}
