/** What `import ridge from './ridge.jpg?image'` gives: data that may be a prop of anything. */
export type ImportedImage = {
  /** URL in the format of the file, at most 1920 px wide: for what reads neither WebP nor `srcset`. */
  readonly src: string
  /** Of the file, in pixels, as it is seen: turned as its EXIF data say. */
  readonly width: number
  readonly height: number
  /** URLs with their widths in pixels, narrowest first; AVIF where the import asks for it. */
  readonly variants: {
    readonly webp: readonly ImageVariant[]
    readonly avif?: readonly ImageVariant[]
  }
  /** The image, 16 px wide, as a data URL; `null` for one with transparent parts. */
  readonly placeholder: string | null
}

export type ImageVariant = readonly [url: string, width: number]

/** The URL of an image on a server that resizes. */
export type ImageLoader = (request: { readonly src: string; readonly width: number }) => string

/** What an `<img>` or a `<source>` needs to choose among files. */
export type SourceSet = {
  readonly src: string
  readonly srcSet: string | undefined
  readonly avifSet: string | undefined
  readonly width: number | undefined
  readonly height: number | undefined
  readonly placeholder: string | null
}

export type SourceOptions = {
  /** In CSS pixels, as the page says it. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** Whether the page says how wide the image is shown; if not, its width in CSS pixels counts. */
  readonly hasSizes: boolean
  readonly loader: ImageLoader | undefined
}

/** Widths of variants, in pixels: from 320 on, each is at most 1.5 times the one before. */
export const variantWidths: readonly number[] = [160, 320, 480, 640, 960, 1280, 1920, 2560, 3840]

/** Chooses the files among which the browser chooses, and completes the measures by the ratio. */
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

/** For an image of one width in CSS pixels: the narrowest files that fill it, and twice it. */
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
