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

/** The pre-paint script's attribute that carries the settings to it and to the client. */
export const serializedThemeAttribute = 'data-waymark-theme'

/** What a document says about themes: the settings, and the theme its route forces. */
export type SerializedTheme = { readonly config: ThemeConfig; readonly forced: string | null }

// One-letter names and left-out defaults: this stands in every document, before the first paint.
type Encoded = {
  k: string
  a: ThemeAttribute[]
  t: [name: string, scheme?: ColorScheme, color?: string][]
  f?: string
  c?: 1
}

/** Writes settings as the JSON that the pre-paint script and the client read. */
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

/** The inverse of `serializeTheme`; the text is our own server's, so it is trusted. */
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
  // A scheme is left out only where it is the theme's own name.
  return { name, scheme: scheme ?? (name as ColorScheme), color: color ?? null }
}
