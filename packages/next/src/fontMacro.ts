/** A font, as its call gives it. */
export type NextFont = {
  readonly className: string
  readonly style: {
    readonly fontFamily: string
    readonly fontWeight?: number
    readonly fontStyle?: string
  }
}
export type NextFontWithVariable = NextFont & { readonly variable: string }

type Source = { readonly path: string; readonly weight?: string; readonly style?: string }

/** What `localFont()` is given: literals, since the build reads them. */
export type LocalFontOptions = {
  readonly src: string | readonly Source[]
  readonly display?: 'auto' | 'block' | 'swap' | 'fallback' | 'optional'
  readonly weight?: string
  readonly style?: string
  readonly variable?: `--${string}`
  readonly preload?: boolean
  readonly fallback?: readonly string[]
  readonly adjustFontFallback?: 'Arial' | 'Times New Roman' | false
  readonly declarations?: readonly { readonly prop: string; readonly value: string }[]
}

/**
 * A font of the app's own files.
 * @throws Error when the module was not compiled by the plugin
 */
export default function localFont(_options: LocalFontOptions): NextFontWithVariable {
  throw new Error(
    'Fonts are read at build: add next() of the entry vite to vite.config.ts, and call localFont() at the top level of a module, with literals.',
  )
}
