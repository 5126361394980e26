import { preload } from 'react-dom'

/** Options of `font()`. They must be literals, because the build reads them. */
export type FontOptions = {
  /** Name of a Fontsource package, such as `@fontsource-variable/inter`. */
  readonly package?: string
  /** Your own font files in woff2, woff, ttf or otf. Paths are relative to the calling file. */
  readonly src?: string | readonly FontFile[]
  /**
   * Family name in style sheets. Default: the name of the package's family, or of the first file.
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
  /** `font-display` of the font faces. Default: `swap`. */
  readonly display?: 'auto' | 'block' | 'swap' | 'fallback' | 'optional'
  /** True to preload the font before the style sheet is read. Default: `true`. */
  readonly preload?: boolean
  /**
   * System font that is shown until the file has loaded, scaled to the same size. With `false`, no
   * fallback is scaled. Default: chosen by the package's category, otherwise Arial.
   */
  readonly adjust?: FallbackFont | false
  /** Further families for `font-family`. Default: the generic family of the package's category. */
  readonly fallback?: readonly string[]
}

export type FontFile = {
  readonly path: string
  /** A weight, or the range of a variable font, such as `'100 900'`. Default: 400. */
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
  /** Class that sets the custom property. Empty without the option `variable`. */
  readonly variable: string
  readonly style: { readonly fontFamily: string }
}

/**
 * Adds a self-hosted font. Its files become assets of the build, and a fallback of the same size is
 * shown until they have loaded. Call it at the top level of a module, with literals.
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

/** Creates the font at run time. Compiled modules call it instead of `font()`. */
export function createFont({ className, variable, fontFamily, files }: BuiltFont): Font {
  const preloadFiles = () => {
    for (const [url, type] of files) {
      // A small file is inlined in the style sheet as a data URL.
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
