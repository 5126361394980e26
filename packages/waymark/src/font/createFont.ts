import { preload } from 'react-dom'

/** What `font()` is given: literals, since the build reads them. */
export type FontOptions = {
  /** A package of Fontsource, such as `@fontsource-variable/inter`. */
  readonly package?: string
  /** Files of the app, relative to the file that calls: woff2, woff, ttf or otf. */
  readonly src?: string | readonly FontFile[]
  /** Family name in style sheets. Default: the name in the package, or that of the first file. */
  readonly family?: string
  /** Subsets of a package that pages use, which are preloaded. Default: `['latin']`. */
  readonly subsets?: readonly string[]
  /** Weights of a package with a file for each; a variable font has all. Default: `[400]`. */
  readonly weights?: readonly number[]
  /** The first is preloaded. Default: `['normal']`. */
  readonly styles?: readonly ('normal' | 'italic')[]
  /** Axis of a variable package's files: `opsz`, `standard`, `full`. Default: `wght`. */
  readonly axis?: string
  /** Name of a custom property that holds the family: `--sans`. */
  readonly variable?: `--${string}`
  /** What browsers do while the file loads. Default: `swap`. */
  readonly display?: 'auto' | 'block' | 'swap' | 'fallback' | 'optional'
  /** Whether the browser fetches the file before it has read the style sheet. Default: `true`. */
  readonly preload?: boolean
  /**
   * The font that stands in until the file is there, with the measures of it; `false`: none.
   * Default: by the category in the package, else Arial.
   */
  readonly adjust?: FallbackFont | false
  /** Families after it. Default: the generic one of its category. */
  readonly fallback?: readonly string[]
}

/** A file of a family. */
export type FontFile = {
  readonly path: string
  /** A weight, or the two ends of a variable font's: `'100 900'`. Default: 400. */
  readonly weight?: number | string
  readonly style?: 'normal' | 'italic'
}

/** A font that most systems have. */
export type FallbackFont = 'Arial' | 'Times New Roman' | 'Courier New'

/** A font of the app. Reading `className`, `variable` or `style` while rendering preloads its files. */
export type Font = {
  /** A class that sets the family. */
  readonly className: string
  /** A class that sets the custom property; empty without `variable` in the options. */
  readonly variable: string
  readonly style: { readonly fontFamily: string }
}

/**
 * A self-hosted font: its files become assets of the app, and a fallback of the same measures
 * stands in until they are there. To be called at the top level of a module, with literals.
 * @throws Error when the module was not compiled by `waymark()` of `waymark/vite`
 */
export function font(_options: FontOptions): Font {
  throw new Error(
    'font() is read at build: call it at the top level of a module, as `const sans = font({ … })`, with literals.',
  )
}

/** What the build makes of a call. */
type BuiltFont = {
  readonly className: string
  readonly variable: string
  readonly fontFamily: string
  /** URLs to be preloaded, with their types. */
  readonly files: readonly (readonly [url: string, type: string])[]
}

/** The module that the build has compiled calls it in place of `font()`. */
export function createFont({ className, variable, fontFamily, files }: BuiltFont): Font {
  const loadAhead = () => {
    for (const [url, type] of files) {
      // A small file stands in the style sheet itself.
      if (!url.startsWith('data:')) preload(url, { as: 'font', type, crossOrigin: 'anonymous' })
    }
  }
  return {
    get className() {
      loadAhead()
      return className
    },
    get variable() {
      loadAhead()
      return variable
    },
    get style() {
      loadAhead()
      return { fontFamily }
    },
  }
}
