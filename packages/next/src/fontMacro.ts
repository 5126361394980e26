/** A font, as the compiled call to a font function returns it. */
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

/** Options for `localFont()`. All values must be literals, because the build reads them. */
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
 * Adds a font from the app's own files.
 * @throws Error if the plugin did not compile the calling module
 */
export default function localFont(_options: LocalFontOptions): NextFontWithVariable {
  throw new Error(
    'Fonts are loaded at build time. Add next() from next/vite to the plugins in vite.config.ts, and call localFont() at the top level of a module, with literal arguments.',
  )
}
