/** What the browser draws its own parts in: form controls, scroll bars, the canvas. */
export type ColorScheme = 'light' | 'dark'

/** Where the resolved theme is written on `<html>`. */
export type ThemeAttribute = 'class' | `data-${string}`

/** One theme; `color` is what `<meta name="theme-color">` says, `null` where not configured. */
export type Theme = {
  readonly name: string
  readonly scheme: ColorScheme
  readonly color: string | null
}

/** Theme settings, checked and complete. */
export type ThemeConfig = {
  readonly storageKey: string
  readonly attributes: readonly ThemeAttribute[]
  /** `light` and `dark` come first. */
  readonly themes: readonly Theme[]
  readonly cookie: boolean
}

/** Holds the preference on `<html>`; that it is there tells style sheets that scripts run. */
export const preferenceAttribute = 'data-theme-preference'

/** Marks a toggle; its value is the preferences it cycles through, space separated. */
export const toggleAttribute = 'data-waymark-theme-toggle'

/** The settings of an app that has made none. */
export const defaultThemeConfig: ThemeConfig = Object.freeze<ThemeConfig>({
  storageKey: 'theme',
  attributes: ['data-theme'],
  themes: [
    { name: 'light', scheme: 'light', color: null },
    { name: 'dark', scheme: 'dark', color: null },
  ],
  cookie: false,
})

/** A user's choice: `light`, `dark`, `system`, or the name of a configured theme. */
export type Preference = 'light' | 'dark' | 'system' | (string & {})

/**
 * Reads a stored preference. The text comes from the browser's storage or a cookie, where
 * anything can stand, so only an exact, known name counts.
 * @returns `system` for everything else
 */
export function parsePreference(stored: unknown, themes: readonly Theme[]): Preference {
  const known = themes.find((theme) => theme.name === stored)
  return known?.name ?? 'system'
}

/**
 * Tells which theme a preference means.
 * @param system what the operating system asks for
 */
export function resolveTheme(
  preference: Preference,
  system: ColorScheme,
  themes: readonly Theme[],
): Theme {
  const named = (name: string) => themes.find((theme) => theme.name === name)
  const resolved = named(preference) ?? named(system)
  if (resolved === undefined) throw new Error(`the theme ${system} is missing`)
  return resolved
}

/**
 * The preference that a toggle goes to.
 * @param cycle preferences in their order; one that isn't in it leads to the first
 */
export function nextPreference(current: Preference, cycle: readonly Preference[]): Preference {
  return cycle[(cycle.indexOf(current) + 1) % cycle.length] ?? 'system'
}
