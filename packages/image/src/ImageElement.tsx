import { type ComponentProps, type CSSProperties, cache, type ReactNode } from 'react'
import { preload } from 'react-dom'
import { isCachedRendering } from 'waymark/plugin/client'
import fallbackLoader from './imageFallback.js?url&no-inline'
import { type ImageLoader, type ImportedImage, type SourceSet, sourceSet } from './imageSource.ts'

type ElementProps = Omit<
  ComponentProps<'img'>,
  'src' | 'srcSet' | 'alt' | 'width' | 'height' | 'fetchPriority'
>

/**
 * Props of `<Image>`: the attributes of an `<img>`, and options that decide which file is loaded
 * and when.
 */
export type ImageProps = ElementProps & {
  /** An image imported with `?image`, or a URL. */
  readonly src: ImportedImage | string
  /** Text for people who don't see the image; empty for decoration. */
  readonly alt: string
  /**
   * Width in CSS pixels. Default: the width of the imported file. With a URL, set both `width` and
   * `height`, so that the layout doesn't shift.
   */
  readonly width?: number
  readonly height?: number
  /**
   * Displayed width, as in `(min-width: 60rem) 50vw, 100vw`. Default: `auto` for lazy images, in
   * browsers that support `auto`. Otherwise `width` if it is set, or else `100vw`.
   */
  readonly sizes?: string
  /**
   * True to load this image before all others. Default: true for the first large image that the
   * server renders for the page.
   */
  readonly priority?: boolean
  /** True to show a tiny blurred version until the image has loaded. Default: `true`. */
  readonly placeholder?: boolean
  /** Image to show if the image in `src` can't be loaded. */
  readonly fallback?: ImportedImage | string
  /** Returns the URLs of resized variants on an image server. Only used if `src` is a URL. */
  readonly loader?: ImageLoader
}

/**
 * Renders an `<img>` that makes the browser load the right file at the right time and reserve the
 * image's space. `<Image>` doesn't need code in the browser.
 *
 * @example
 * ```tsx
 * import ridge from './ridge.jpg?image'
 *
 * <Image src={ridge} alt="The ridge at dawn" />
 * ```
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

/**
 * @param hasSources true if `<source>` elements may select different files, so that nothing is
 * preloaded
 */
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
 * Returns the attributes that `<Image>` sets on its `<img>`, for an element that you render
 * yourself. AVIF, `fallback` and preloading are left out.
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
  // Put these attributes before `src`, because React sets attributes in this order, and browsers
  // start loading when `src` is set.
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

/**
 * State that all images in a server rendering share. An image in a cached component never counts as
 * its page's first image.
 */
const pagePictures = cache(() => ({ hasFirst: isCachedRendering() }))

/**
 * Minimum width of a page's first image, in CSS pixels. Narrower images are usually logos and
 * avatars.
 */
const leastFirstWidth = 200

/**
 * True if the image is its page's first one. Without `priority`, the first image is the first large
 * one in render order. In client components and in browsers, only `priority` counts.
 */
function isFirst({ priority, loading, src, width }: ImageProps): boolean {
  const page = pagePictures()
  const isAutomatic = page === pagePictures() && priority === undefined && loading === undefined
  const cssWidth = width ?? (typeof src === 'string' ? leastFirstWidth : src.width)
  const isFirstLarge = isAutomatic && !page.hasFirst && cssWidth >= leastFirstWidth
  if (priority || isFirstLarge) page.hasFirst = true
  return priority ?? isFirstLarge
}

/**
 * HTML §4.8.4.2.1: `auto` is only allowed for lazy images. Browsers that don't support `auto` use
 * the rest of the list.
 */
export function sizesOf(sizes = '100vw', isLazy: boolean): string {
  return isLazy && !sizes.startsWith('auto') ? `auto, ${sizes}` : sizes
}

function preloadImage({ src, srcSet, avifSet }: SourceSet, sizes: string | undefined): void {
  // Preload AVIF with its type, so that browsers without AVIF support ignore the preload.
  const type = avifSet ? { type: 'image/avif' } : {}
  const imageSrcSet = avifSet ?? srcSet
  const sets = imageSrcSet ? { imageSrcSet, ...(sizes && { imageSizes: sizes }) } : {}
  preload(src, { as: 'image', fetchPriority: 'high', ...sets, ...type })
}

/**
 * Sets the placeholder as the background. The loaded image covers the placeholder completely,
 * because only opaque images have placeholders.
 */
function withPlaceholder(
  style: CSSProperties | undefined,
  placeholder: string | null,
): CSSProperties | undefined {
  if (placeholder === null) return style
  return { background: `url(${placeholder}) center / cover no-repeat`, ...style }
}
