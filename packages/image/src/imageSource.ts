/**
 * The value of `import ridge from './ridge.jpg?image'`. The value is plain data, so you can pass it
 * as a prop.
 */
export type ImportedImage = {
  /**
   * URL of the image in its original format, at most 1920 px wide. Used by programs that support
   * neither WebP nor `srcset`.
   */
  readonly src: string
  /** Width in pixels, after the image has been rotated according to its EXIF orientation. */
  readonly width: number
  readonly height: number
  /**
   * URLs of the resized variants with their widths in pixels, narrowest first. AVIF variants only
   * exist if the import requests AVIF.
   */
  readonly variants: {
    readonly webp: readonly ImageVariant[]
    readonly avif?: readonly ImageVariant[]
  }
  /** The image as a data URL, 16 px wide; `null` if parts of the image are transparent. */
  readonly placeholder: string | null
}

export type ImageVariant = readonly [url: string, width: number]

/** Returns the URL of an image on an image server, resized to a width in pixels. */
export type ImageLoader = (request: { readonly src: string; readonly width: number }) => string

/** Values from which the browser chooses the file for an `<img>` or a `<source>`. */
export type SourceSet = {
  readonly src: string
  readonly srcSet: string | undefined
  readonly avifSet: string | undefined
  readonly width: number | undefined
  readonly height: number | undefined
  readonly placeholder: string | null
}

export type SourceOptions = {
  /** Width in CSS pixels, if the page sets it. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** True if the page sets `sizes`. Otherwise, the image is shown at its `width` in CSS pixels. */
  readonly hasSizes: boolean
  readonly loader: ImageLoader | undefined
}

/** Widths of variants, in pixels. From 320 on, each is at most 1.5 times the previous one. */
export const variantWidths: readonly number[] = [160, 320, 480, 640, 960, 1280, 1920, 2560, 3840]

/**
 * Chooses the files that the browser may load, and computes a missing width or height from the
 * image's aspect ratio.
 */
export function sourceSet(image: ImportedImage | string, options: SourceOptions): SourceSet {
  const { loader, hasSizes } = options
  const measures = completeMeasures(image, options)
  const describe = (variants: readonly ImageVariant[]) =>
    hasSizes || options.width === undefined
      ? variants.map(([url, width]) => `${url} ${width}w`).join(', ')
      : describeByDensity(variants, options.width)
  if (typeof image === 'string') {
    if (!loader) return { ...measures, src: image, ...noSets }
    const variants = variantWidths.map((width) => [loader({ src: image, width }), width] as const)
    const src = loader({ src: image, width: Math.min(1920, (options.width ?? 960) * 2) })
    return { ...measures, ...noSets, src, srcSet: describe(variants) }
  }
  const { src, variants, placeholder } = image
  const avifSet = variants.avif && describe(variants.avif)
  return { ...measures, src, srcSet: describe(variants.webp), avifSet, placeholder }
}

const noSets = { srcSet: undefined, avifSet: undefined, placeholder: null }

/**
 * Describes the files for an image with a fixed width in CSS pixels: the narrowest file that fills
 * this width, and the narrowest file that fills it on screens with double density.
 */
function describeByDensity(variants: readonly ImageVariant[], cssWidth: number): string {
  const widest = variants.at(-1)
  const chosen = [1, 2].map((density) => {
    const [url = ''] = variants.find(([, width]) => width >= cssWidth * density) ?? widest ?? []
    return { url, density }
  })
  const [single, double] = chosen
  if (!single || single.url === double?.url) return single?.url ?? ''
  return chosen.map(({ url, density }) => `${url} ${density}x`).join(', ')
}

function completeMeasures(image: ImportedImage | string, { width, height }: SourceOptions) {
  if (typeof image === 'string') return { width, height }
  const ratio = image.width / image.height
  if (width !== undefined) return { width, height: height ?? Math.round(width / ratio) }
  if (height !== undefined) return { width: Math.round(height * ratio), height }
  return { width: image.width, height: image.height }
}
