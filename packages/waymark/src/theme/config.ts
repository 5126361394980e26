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
