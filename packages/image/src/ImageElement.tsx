import { type ComponentProps, type CSSProperties, cache, type ReactNode } from 'react'
import { preload } from 'react-dom'
import { isCachedRendering } from 'waymark/plugin/client'
import fallbackLoader from './imageFallback.js?url&no-inline'
import { type ImageLoader, type ImportedImage, type SourceSet, sourceSet } from './imageSource.ts'

type ElementProps = Omit<
  ComponentProps<'img'>,
  'src' | 'srcSet' | 'alt' | 'width' | 'height' | 'fetchPriority'
>

/** An image: those of an `<img>`, and what says which of its files are needed. */
export type ImageProps = ElementProps & {
  /** Imported with `?image`, or a URL. */
  readonly src: ImportedImage | string
  /** What the image says to those who don't see it; empty for decoration. */
  readonly alt: string
  /** In CSS pixels. Default: of the imported file. A URL needs it, so that nothing moves. */
  readonly width?: number
  readonly height?: number
  /**
   * How wide the image is shown, as `(min-width: 60rem) 50vw, 100vw`. Default: what the layout
   * says, for a lazy image, where the browser can tell; elsewhere `100vw`, or `width` if given.
   */
  readonly sizes?: string
  /**
   * The first picture of the page: it is loaded before all others. Default: whether it is the first
   * large one that the server renders for the page.
   */
  readonly priority?: boolean
  /** Shows the tiny stand-in until the image is there; default `true`. */
  readonly placeholder?: boolean
  /** Shown when the image can't be loaded. */
  readonly fallback?: ImportedImage | string
  /** Gives the URLs of variants on a server that resizes. For a `src` that is a URL. */
  readonly loader?: ImageLoader
}

/**
 * An `<img>` with what a browser needs to load the right file at the right time, and to leave the
 * room for it. It has no code in the browser.
 */
export function Image(props: ImageProps): ReactNode {
  const { img, avif } = imageElements(props)
  if (!avif) return img
  return (
    <picture>
      {avif}
      {img}
    </picture>
  )
}

/** @param hasSources whether other files than these may be shown: then none is preloaded */
export function imageElements(props: ImageProps, hasSources = false) {
  const { attributes, set, isLazy } = readProps(props)
  const { sizes, fetchPriority } = attributes
  const { fallback } = props
  if (fetchPriority && !hasSources) preloadImage(set, sizes)
  const img = (
    <>
      {fallback && <script async type="module" src={fallbackLoader} />}
      {/* biome-ignore lint/a11y/useAltText: the type asks the caller for it */}
      <img
        data-waymark-fallback={typeof fallback === 'object' ? fallback.src : fallback}
        {...attributes}
      />
    </>
  )
  const avif = set.avifSet && <source type="image/avif" srcSet={set.avifSet} sizes={sizes} />
  return { img, avif, isLazy }
}

/**
 * The attributes that `<Image>` gives to its `<img>`, for an element of one's own: without AVIF,
 * fallback and preload.
 */
export function imageAttributes(props: ImageProps): ComponentProps<'img'> {
  return readProps(props).attributes
}

function readProps(props: ImageProps) {
  const { priority: _, src, alt, width, height, loader, sizes: sizesProp, ...others } = props
  const { fallback: __, placeholder = true, style, ...rest } = others
  const priority = isFirst(props)
  const isLazy = (rest.loading ?? (priority ? 'eager' : 'lazy')) === 'lazy'
  const hasSizes = sizesProp !== undefined || width === undefined
  const set = sourceSet(src, { width, height, hasSizes, loader })
  // Before `src`: React sets attributes in this order, and a browser fetches by those that it has.
  const attributes: ComponentProps<'img'> = {
    decoding: 'async',
    ...rest,
    alt,
    loading: isLazy ? 'lazy' : 'eager',
    fetchPriority: priority ? 'high' : undefined,
    width: set.width,
    height: set.height,
    style: placeholder ? withPlaceholder(style, set.placeholder) : style,
    sizes: set.srcSet && hasSizes ? sizesOf(sizesProp, isLazy) : undefined,
    srcSet: set.srcSet,
    src: set.src,
  }
  return { attributes, set, isLazy }
}

/** State of one server rendering. A cached picture never counts as the first of its page. */
const pagePictures = cache(() => ({ hasFirst: isCachedRendering() }))

/** Narrower ones, in CSS pixels, are logos and faces. */
const leastFirstWidth = 200

/**
 * Tells whether an image is the first of its page: the one that says so, else the first one in the
 * order of rendering. In a browser, and in client components, there is only what it says.
 */
function isFirst({ priority, loading, src, width }: ImageProps): boolean {
  const page = pagePictures()
  const isAutomatic = page === pagePictures() && priority === undefined && loading === undefined
  const cssWidth = width ?? (typeof src === 'string' ? leastFirstWidth : src.width)
  const isFirstLarge = isAutomatic && !page.hasFirst && cssWidth >= leastFirstWidth
  if (priority || isFirstLarge) page.hasFirst = true
  return priority ?? isFirstLarge
}

/** HTML, §4.8.4.2.1: `auto` is for lazy images; browsers without it take what follows. */
export function sizesOf(sizes = '100vw', isLazy: boolean): string {
  return isLazy && !sizes.startsWith('auto') ? `auto, ${sizes}` : sizes
}

function preloadImage({ src, srcSet, avifSet }: SourceSet, sizes: string | undefined): void {
  // A browser that does not know the type leaves the hint alone.
  const type = avifSet ? { type: 'image/avif' } : {}
  const imageSrcSet = avifSet ?? srcSet
  const sets = imageSrcSet ? { imageSrcSet, ...(sizes && { imageSizes: sizes }) } : {}
  preload(src, { as: 'image', fetchPriority: 'high', ...sets, ...type })
}

/** The image covers it once it is there: it has no transparent parts. */
function withPlaceholder(
  style: CSSProperties | undefined,
  placeholder: string | null,
): CSSProperties | undefined {
  if (placeholder === null) return style
  return { background: `url(${placeholder}) center / cover no-repeat`, ...style }
}
