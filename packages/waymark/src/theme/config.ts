/** Colour scheme of the browser's UI: form controls, scrollbars, and the canvas. */
export type ColorScheme = 'light' | 'dark'

/** Attribute of `<html>` that holds the resolved theme. */
export type ThemeAttribute = 'class' | `data-${string}`

export type Theme = {
  readonly name: string
  readonly scheme: ColorScheme
  readonly color: string | null
}

export type ThemeConfig = {
  readonly storageKey: string
  readonly attributes: readonly ThemeAttribute[]
  /** Configured themes. `light` and `dark` come first. */
  readonly themes: readonly Theme[]
  readonly cookie: boolean
}

/**
 * Attribute of `<html>` that holds the preference. Stylesheets also use it to detect that scripts
 * run.
 */
export const preferenceAttribute = 'data-theme-preference'

/** Attribute that marks a toggle. Its value lists the toggle's preferences, separated by spaces. */
export const toggleAttribute = 'data-waymark-theme-toggle'

export const defaultThemeConfig: ThemeConfig = Object.freeze<ThemeConfig>({
  storageKey: 'theme',
  attributes: ['data-theme'],
  themes: [
    { name: 'light', scheme: 'light', color: null },
    { name: 'dark', scheme: 'dark', color: null },
  ],
  cookie: false,
})

/** A user's choice: `light`, `dark`, `system`, or a configured theme. */
export type Preference = 'light' | 'dark' | 'system' | (string & {})

/**
 * Validates a preference from storage or a cookie.
 *
 * @returns `system` if the value isn't a configured theme
 */
export function parsePreference(stored: unknown, themes: readonly Theme[]): Preference {
  const match = themes.find((theme) => theme.name === stored)
  return match?.name ?? 'system'
}

/**
 * Resolves a preference to a theme.
 *
 * @param system colour scheme of the operating system
 */
export function resolveTheme(
  preference: Preference,
  system: ColorScheme,
  themes: readonly Theme[],
): Theme {
  const named = (name: string) => themes.find((theme) => theme.name === name)
  return named(preference) ?? (named(system) as Theme)
}

/** Returns the next preference of a toggle. An unknown preference is followed by the first one. */
export function nextPreference(current: Preference, cycle: readonly Preference[]): Preference {
  return cycle[(cycle.indexOf(current) + 1) % cycle.length] ?? 'system'
}

/** Attribute of the pre-paint script that contains the settings. */
export const serializedThemeAttribute = 'data-waymark-theme'

export type SerializedTheme = { readonly config: ThemeConfig; readonly forced: string | null }

// Names are short and defaults are left out, because every document contains this JSON.
type Encoded = {
  k: string
  a: ThemeAttribute[]
  t: [name: string, scheme?: ColorScheme, color?: string][]
  f?: string
  c?: 1
}

export function serializeTheme({ config, forced }: SerializedTheme): string {
  const encoded: Encoded = {
    k: config.storageKey,
    a: [...config.attributes],
    t: config.themes.map(encodeTheme),
  }
  if (forced !== null) encoded.f = forced
  if (config.cookie) encoded.c = 1
  return JSON.stringify(encoded)
}

/** Reads the settings without validation, because our server wrote them. */
export function deserializeTheme(text: string): SerializedTheme {
  const encoded = JSON.parse(text) as Encoded
  const config: ThemeConfig = {
    storageKey: encoded.k,
    attributes: encoded.a,
    themes: encoded.t.map(decodeTheme),
    cookie: encoded.c === 1,
  }
  return { config, forced: encoded.f ?? null }
}

function encodeTheme({ name, scheme, color }: Theme): Encoded['t'][number] {
  if (color !== null) return [name, scheme, color]
  return scheme === name ? [name] : [name, scheme]
}

function decodeTheme([name, scheme, color]: Encoded['t'][number]): Theme {
  // Use the name as the scheme if the scheme was left out.
  return { name, scheme: scheme ?? (name as ColorScheme), color: color ?? null }
}
