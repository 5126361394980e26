import { preload } from 'react-dom'

/** Options of `font()`: literals, because the build reads them. */
export type FontOptions = {
  /** A Fontsource package, such as `@fontsource-variable/inter`. */
  readonly package?: string
  /** Files of the app, relative to the calling file: woff2, woff, ttf or otf. */
  readonly src?: string | readonly FontFile[]
  /** Family name in style sheets. Default: the package's name, or that of the first file. */
  readonly family?: string
  /** Subsets of a package to preload. Default: `['latin']`. */
  readonly subsets?: readonly string[]
  /** Weights of a package with one file each; a variable font has all. Default: `[400]`. */
  readonly weights?: readonly number[]
  /** The first style is preloaded. Default: `['normal']`. */
  readonly styles?: readonly ('normal' | 'italic')[]
  /** Axis of a variable package's files: `opsz`, `standard`, `full`. Default: `wght`. */
  readonly axis?: string
  /** Name of a custom property for the family: `--sans`. */
  readonly variable?: `--${string}`
  /** `font-display` of the faces. Default: `swap`. */
  readonly display?: 'auto' | 'block' | 'swap' | 'fallback' | 'optional'
  /** Preloads the file before the style sheet is read. Default: `true`. */
  readonly preload?: boolean
  /**
   * Font shown until the file loads, scaled to its measures; `false`: none. Default: by the
   * package's category, else Arial.
   */
  readonly adjust?: FallbackFont | false
  /** Families after it. Default: the category's generic family. */
  readonly fallback?: readonly string[]
}

export type FontFile = {
  readonly path: string
  /** A weight, or the range of a variable font: `'100 900'`. Default: 400. */
  readonly weight?: number | string
  readonly style?: 'normal' | 'italic'
}

/** Installed on most systems. */
export type FallbackFont = 'Arial' | 'Times New Roman' | 'Courier New'

/**
 * A font of the app. Reading `className`, `variable` or `style` while rendering preloads its files.
 */
export type Font = {
  /** A class that sets the family. */
  readonly className: string
  /** A class that sets the custom property; empty without the option `variable`. */
  readonly variable: string
  readonly style: { readonly fontFamily: string }
}

/**
 * A self-hosted font: its files become assets, and a fallback with the same measures shows until
 * they load. Call it at the top level of a module, with literals.
 * @throws Error for a module that `waymark()` did not compile
 */
export function font(_options: FontOptions): Font {
  throw new Error(
    'font() is read at build: call it at the top level of a module, as `const sans = font({ … })`, with literals.',
  )
}

type BuiltFont = {
  readonly className: string
  readonly variable: string
  readonly fontFamily: string
  /** Preloaded URLs with their types. */
  readonly files: readonly (readonly [url: string, type: string])[]
}

/** Compiled modules call it instead of `font()`. */
export function createFont({ className, variable, fontFamily, files }: BuiltFont): Font {
  const preloadFiles = () => {
    for (const [url, type] of files) {
      // A small file is inlined in the style sheet.
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
