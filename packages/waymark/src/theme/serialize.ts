import type { ColorScheme, Theme, ThemeAttribute, ThemeConfig } from './config.ts'

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
