import { loader as appLoader, isUnoptimized } from 'virtual:next-names/images'
import { type ImportedImage, imageAttributes } from '@waymark/image'
import type { ComponentProps, CSSProperties, ImgHTMLAttributes, ReactNode, Ref } from 'react'
import { preload } from 'react-dom'

/** The value of an imported image. */
export type StaticImageData = {
  readonly src: string
  readonly width: number
  readonly height: number
  readonly blurDataURL?: string
  readonly blurWidth?: number
  readonly blurHeight?: number
  /** Resized versions, if `@waymark/image` is installed and can create them. */
  readonly variants?: ImportedImage['variants']
}

/** An imported image, or a module that exports one. */
export type StaticImport = StaticImageData | { readonly default: StaticImageData }

export type ImageLoaderProps = {
  readonly src: string
  readonly width: number
  readonly quality?: number | undefined
}
export type ImageLoader = (props: ImageLoaderProps) => string

/** Attributes of an image, and options that control how the image is loaded. */
export type ImageProps = Omit<
  ImgHTMLAttributes<HTMLImageElement>,
  'src' | 'srcSet' | 'alt' | 'width' | 'height' | 'loading'
> & {
  readonly src: string | StaticImport
  readonly alt: string
  readonly width?: number | `${number}` | undefined
  readonly height?: number | `${number}` | undefined
  /** True to fill the parent element, which must be positioned. */
  readonly fill?: boolean | undefined
  readonly loader?: ImageLoader | undefined
  readonly quality?: number | `${number}` | undefined
  readonly priority?: boolean | undefined
  /** True to preload the image, as with `priority`. */
  readonly preload?: boolean | undefined
  readonly loading?: 'eager' | 'lazy' | undefined
  readonly placeholder?: 'blur' | 'empty' | `data:image/${string}` | undefined
  readonly blurDataURL?: string | undefined
  readonly unoptimized?: boolean | undefined
  readonly overrideSrc?: string | undefined
  /** Called once the image has loaded. Only works in client components. */
  readonly onLoadingComplete?: ((image: HTMLImageElement) => void) | undefined
  readonly ref?: Ref<HTMLImageElement> | undefined
}

type ImgAttributes = ComponentProps<'img'>

/**
 * Renders an image. Its space is reserved, so that the layout doesn't shift. For imported images,
 * the browser picks one of several sizes. Client components import `imageInClient.tsx`, which also
 * calls handlers.
 * @throws Error if the size isn't known
 */
export default function Image(props: ImageProps): ReactNode {
  const attributes = attributesOf(props, props.priority || props.preload || undefined)
  const { src = '', srcSet, sizes, fetchPriority } = attributes
  if (fetchPriority === 'high') {
    const sets = { ...(srcSet ? { imageSrcSet: srcSet } : {}), ...(sizes && { imageSizes: sizes }) }
    preload(src as string, { as: 'image', fetchPriority, ...sets })
  }
  // biome-ignore lint/a11y/useAltText: the type asks the caller for it
  return <img {...attributes} />
}

/**
 * Returns the attributes of an image, for an `<img>` that you render yourself.
 * @throws Error if the size is not known
 */
export function getImageProps(props: ImageProps): { readonly props: ImgAttributes } {
  return { props: attributesOf(props, Boolean(props.priority || props.preload)) }
}

/** @param priority if `undefined`, the first image on the page has priority */
function attributesOf(props: ImageProps, priority: boolean | undefined): ImgAttributes {
  const { src: source, fill, quality, placeholder, sizes: requestedSizes, style, ...rest } = props
  const {
    loader = appLoader,
    unoptimized = isUnoptimized,
    blurDataURL,
    overrideSrc,
    ...remaining
  } = rest
  const {
    priority: _,
    preload: __,
    onLoadingComplete: ___,
    fetchPriority,
    ...attributes
  } = remaining
  const imported = importedOf(source)
  // Apps may pass `null` at runtime, such as a missing avatar. The image then has no `src`.
  const url = imported?.src ?? (source as string | null) ?? ''
  const size = measures(props)
  const sizes = requestedSizes ?? (fill ? '100vw' : undefined)
  const resize = (image: { src: string; width: number }) =>
    loader?.({ ...image, quality: quality === undefined ? undefined : Number(quality) }) ?? url
  const blur = placeholder === 'blur' ? (blurDataURL ?? imported?.blurDataURL) : placeholder
  const imgAttributes = imageAttributes({
    ...attributes,
    src: !unoptimized && !rest.loader && imported?.variants ? resizable(imported) : url,
    width: size?.width,
    height: size?.height,
    sizes,
    priority,
    loader: loader && !unoptimized ? resize : undefined,
    placeholder: false,
    style: { ...(fill ? filling : {}), ...background(blur), ...style },
  } as Parameters<typeof imageAttributes>[0])
  return {
    ...imgAttributes,
    fetchPriority: imgAttributes.fetchPriority ?? fetchPriority,
    // With `auto`, browsers take an image's size only from styles, not from its file, so omit it
    // without srcSet.
    sizes: imgAttributes.srcSet ? sizes : requestedSizes,
    // An image that fills its parent doesn't have the size of its file.
    ...(fill ? { width: undefined, height: undefined } : {}),
    src: overrideSrc ?? (imgAttributes.src || undefined),
  }
}

function resizable({ src, width, height, variants }: StaticImageData): ImportedImage {
  return { src, width, height, variants: variants ?? { webp: [] }, placeholder: null }
}

const filling: CSSProperties = {
  position: 'absolute',
  height: '100%',
  width: '100%',
  inset: 0,
}

function background(blur: string | undefined): CSSProperties {
  if (!blur?.startsWith('data:')) return {}
  return {
    backgroundImage: `url("${blur}")`,
    backgroundSize: 'cover',
    backgroundPosition: '50% 50%',
  }
}

function importedOf(source: ImageProps['src']): StaticImageData | null {
  if (typeof source !== 'object' || source === null) return null
  return 'default' in source ? source.default : source
}

/**
 * Returns the size of an image in CSS pixels. A missing width or height of an imported image is
 * computed from its aspect ratio.
 * @returns `null` if the image fills its parent
 * @throws Error if the size isn't known
 */
export function measures(
  props: Pick<ImageProps, 'src' | 'fill' | 'width' | 'height'>,
): { readonly width: number; readonly height: number } | null {
  const { src, fill, width, height } = props
  if (fill) return null
  const imported = importedOf(src)
  const ratio = imported ? imported.width / imported.height : null
  const [wide, high] = [width, height].map((each) => (each === undefined ? null : Number(each)))
  const measured = {
    width: wide ?? (high && ratio ? Math.round(high * ratio) : imported?.width),
    height: high ?? (wide && ratio ? Math.round(wide / ratio) : imported?.height),
  }
  const { width: knownWidth, height: knownHeight } = measured
  if (knownWidth && knownHeight) return { width: knownWidth, height: knownHeight }
  throw new Error(
    `The image ${imported?.src ?? src} has no ${knownWidth ? 'height' : 'width'}. Set width and height, let the image fill its parent, or import the image.`,
  )
}
