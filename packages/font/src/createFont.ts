import { preload } from 'react-dom'

/** Options for `font()`. All values must be literals, because the build reads them. */
export type FontOptions = {
  /** Name of a Fontsource package, such as `@fontsource-variable/inter`. */
  readonly package?: string
  /** Your own font files in woff2, woff, ttf or otf. Paths are relative to the calling file. */
  readonly src?: string | readonly FontFile[]
  /**
   * Name of the font family in style sheets. Default: the package's family name, or the name of the
   * first file.
   */
  readonly family?: string
  /** Subsets to preload from a package. Default: `['latin']`. */
  readonly subsets?: readonly string[]
  /**
   * Weights to use from a package that has one file for each weight. Variable fonts have all
   * weights. Default: `[400]`.
   */
  readonly weights?: readonly number[]
  /** Styles to use. The first one is preloaded. Default: `['normal']`. */
  readonly styles?: readonly ('normal' | 'italic')[]
  /** Axis of a variable package's files, such as `opsz`, `standard` or `full`. Default: `wght`. */
  readonly axis?: string
  /** Name of a custom property that is set to the family, such as `--sans`. */
  readonly variable?: `--${string}`
  /** Value of `font-display` for the font faces. Default: `swap`. */
  readonly display?: 'auto' | 'block' | 'swap' | 'fallback' | 'optional'
  /** True to preload the font before the browser has read the style sheet. Default: `true`. */
  readonly preload?: boolean
  /**
   * System font that is shown until the font has loaded, scaled to the same size. With `false`, no
   * system font is scaled. Default: a font that matches the package's category, or else Arial.
   */
  readonly adjust?: FallbackFont | false
  /**
   * Additional families for `font-family`. Default: the generic family of the package's category.
   */
  readonly fallback?: readonly string[]
}

export type FontFile = {
  readonly path: string
  /** Weight of the font, or a variable font's range, such as `'100 900'`. Default: 400. */
  readonly weight?: number | string
  readonly style?: 'normal' | 'italic'
}

/** System fonts that most devices have. */
export type FallbackFont = 'Arial' | 'Times New Roman' | 'Courier New'

/**
 * A font, as `font()` returns it. Reading one of its properties while rendering preloads its files.
 */
export type Font = {
  /** Class that sets `font-family`. */
  readonly className: string
  /** Class that sets the custom property. Empty if the option `variable` isn't set. */
  readonly variable: string
  readonly style: { readonly fontFamily: string }
}

/**
 * Adds a self-hosted font. Its files become assets of the build, and a fallback font with the same
 * size is shown until the files have loaded. Call this function at the top level of a module, with
 * literal arguments.
 * @throws Error if Waymark's plugin didn't compile the calling module
 *
 * @example
 * ```ts
 * const sans = font({ package: '@fontsource-variable/inter' })
 * ```
 */
export function font(_options: FontOptions): Font {
  throw new Error(
    'font() was not compiled. Call it at the top level of a module, as `const sans = font({ … })`, and pass only literals.',
  )
}

type BuiltFont = {
  readonly className: string
  readonly variable: string
  readonly fontFamily: string
  /** URLs to preload, with their content types. */
  readonly files: readonly (readonly [url: string, type: string])[]
}

/** Creates the font at run time. Compiled modules call `createFont()` instead of `font()`. */
export function createFont({ className, variable, fontFamily, files }: BuiltFont): Font {
  const preloadFiles = () => {
    for (const [url, type] of files) {
      // Don't preload a `data:` URL, because its file is already inlined in the style sheet.
      if (!url.startsWith('data:')) preload(url, { as: 'font', type, crossOrigin: 'anonymous' })
    }
  }
  return {
    get className() {
      preloadFiles()
      return className
    },
    get variable() {
      preloadFiles()
      return variable
    },
    get style() {
      preloadFiles()
      return { fontFamily }
    },
  }
}
