/** Colour scheme of the browser's UI: form controls, scrollbars, and the canvas. */
export type ColorScheme = 'light' | 'dark'

/** Attribute on `<html>` for the theme in use. */
export type ThemeAttribute = 'class' | `data-${string}`

export type Theme = {
  readonly name: string
  readonly scheme: ColorScheme
  readonly color: string | null
}

export type ThemeConfig = {
  readonly storageKey: string
  readonly attributes: readonly ThemeAttribute[]
  /** The configured themes, with `light` and `dark` first. */
  readonly themes: readonly Theme[]
  readonly cookie: boolean
}

/**
 * Attribute on `<html>` for the preference. Stylesheets also use it to find out if JavaScript runs.
 */
export const preferenceAttribute = 'data-theme-preference'

/** Marks a toggle. Its value lists the toggle's preferences, separated by spaces. */
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

/**
 * Returns the next preference in a toggle's cycle. After an unknown one, the first comes next. The
 * theme that `system` shows comes last before `system`. Otherwise, a click on a toggle that shows
 * `system` could switch to the same colours.
 */
export function nextPreference(
  current: Preference,
  cycle: readonly Preference[],
  system: ColorScheme,
): Preference {
  const at = cycle.indexOf('system')
  if (!cycle.includes(current) || at === -1 || !cycle.includes(system)) {
    return cycle[(cycle.indexOf(current) + 1) % cycle.length] ?? 'system'
  }
  const others = [...cycle.slice(at + 1), ...cycle.slice(0, at)].filter((name) => name !== system)
  const order = [...others, system, 'system']
  return order[(order.indexOf(current) + 1) % order.length] ?? 'system'
}

/** Attribute of the pre-paint script that contains the settings. */
export const serializedThemeAttribute = 'data-waymark-theme'

export type SerializedTheme = { readonly config: ThemeConfig; readonly forced: string | null }

// Every document contains this JSON, so names are short and defaults are omitted.
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

/** Reads the settings. They aren't validated, because our server wrote them. */
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
  // If the scheme was omitted, it equals the name.
  return { name, scheme: scheme ?? (name as ColorScheme), color: color ?? null }
}
