import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead, themeScript } from '../../theme/themeScript.ts'
import { type LoadedRouteFile, mainSegments, renderedFile } from './routeModules.ts'

/** The parts of the app's themes that rendering needs. */
export type AppTheme = ReturnType<typeof createAppTheme>

/**
 * Creates the HTML that the theme adds to document heads. It is written in advance for each theme
 * that a route may force.
 */
export function createAppTheme(config: ThemeConfig) {
  const preferredHead = themeHead(config)
  const forcing = new Map(config.themes.map(({ name }) => [name, themeHead(config, name)]))
  return {
    config,
    /**
     * Source of the script that runs before the first paint. It is always the same, so that a
     * content security policy can contain its hash.
     */
    script: themeScript(config),
    /** Returns true if a value is the name of a theme. */
    isTheme: (value: unknown): value is string => typeof value === 'string' && forcing.has(value),
    /**
     * Returns HTML for the start of the head.
     * @param forced the theme that the route requires; `null` for the user's choice
     */
    headStart: (forced: string | null): string =>
      (forced === null ? undefined : forcing.get(forced)) ?? preferredHead,
  }
}

export type RouteThemeSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly isTheme: (value: unknown) => value is string
}

/**
 * Returns the page's `theme` export, or the innermost layout's.
 * @param screen place of a fallback screen. The exports of the part that it replaces are ignored
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
    // The page stays visible next to a screen in a different slot, so only stop for one in
    // `children`.
    if (segment === screen?.segment && screen.slot === 'children') break
  }
  return theme
}
