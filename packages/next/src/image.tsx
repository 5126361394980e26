import type { CSSProperties, ImgHTMLAttributes, ReactNode, Ref } from 'react'
import { preload } from 'react-dom'

/** An imported image. */
export type StaticImageData = {
  readonly src: string
  readonly width: number
  readonly height: number
  readonly blurDataURL?: string
  readonly blurWidth?: number
  readonly blurHeight?: number
}

/** What is imported, or the URL of an image. */
export type StaticImport = StaticImageData | { readonly default: StaticImageData }

export type ImageLoaderProps = {
  readonly src: string
  readonly width: number
  readonly quality?: number | undefined
}
export type ImageLoader = (props: ImageLoaderProps) => string

/** Attributes of an image, and how it is loaded. */
export type ImageProps = Omit<
  ImgHTMLAttributes<HTMLImageElement>,
  'src' | 'srcSet' | 'alt' | 'width' | 'height' | 'loading'
> & {
  readonly src: string | StaticImport
  readonly alt: string
  readonly width?: number | `${number}` | undefined
  readonly height?: number | `${number}` | undefined
  /** Fills the element around, which is positioned. */
  readonly fill?: boolean | undefined
  readonly loader?: ImageLoader | undefined
  readonly quality?: number | `${number}` | undefined
  readonly priority?: boolean | undefined
  /** As `priority`: loaded as soon as the document is there. */
  readonly preload?: boolean | undefined
  readonly loading?: 'eager' | 'lazy' | undefined
  readonly placeholder?: 'blur' | 'empty' | `data:image/${string}` | undefined
  readonly blurDataURL?: string | undefined
  readonly unoptimized?: boolean | undefined
  readonly overrideSrc?: string | undefined
  readonly onLoadingComplete?: ((image: HTMLImageElement) => void) | undefined
  readonly ref?: Ref<HTMLImageElement> | undefined
}

type ImgAttributes = ImgHTMLAttributes<HTMLImageElement> & {
  ref?: Ref<HTMLImageElement> | undefined
}

const widths = [640, 750, 828, 1080, 1200, 1920, 2048, 3840]

/** An image of known measures, which leaves the page in its place when it arrives. */
export default function Image(props: ImageProps): ReactNode {
  const { props: attributes } = getImageProps(props)
  if (props.priority || props.preload) {
    const { src = '', srcSet, sizes } = attributes
    preload(src, {
      as: 'image',
      fetchPriority: 'high',
      ...(srcSet ? { imageSrcSet: srcSet } : {}),
      ...(sizes ? { imageSizes: sizes } : {}),
    })
  }
  // biome-ignore lint/a11y/useAltText: the type asks the caller for it
  return <img {...attributes} />
}

/**
 * The attributes of an image, for an `<img>` of one's own.
 * @throws Error for an image without measures
 */
export function getImageProps(props: ImageProps): { readonly props: ImgAttributes } {
  const { src: given, fill, loader, quality, priority, placeholder, ...rest } = props
  const { blurDataURL, unoptimized, overrideSrc, onLoadingComplete, ...others } = rest
  const { preload: isPreloaded = priority, loading, style, sizes, ...attributes } = others
  const imported = typeof given === 'string' ? null : 'default' in given ? given.default : given
  const src = imported?.src ?? (given as string)
  const size = measures(src, props, imported)
  const image = loader && !unoptimized ? candidates(src, loader, Number(quality ?? 75), size) : null
  const blur = placeholder === 'blur' ? (blurDataURL ?? imported?.blurDataURL) : placeholder
  return {
    props: {
      ...attributes,
      ...size,
      ...(image ? { srcSet: image } : {}),
      ...(sizes || (image && fill) ? { sizes: sizes ?? '100vw' } : {}),
      src: overrideSrc ?? (loader && size ? loader({ src, width: size.width * 2 }) : src),
      loading: isPreloaded ? undefined : (loading ?? 'lazy'),
      fetchPriority: isPreloaded ? 'high' : attributes.fetchPriority,
      decoding: attributes.decoding ?? 'async',
      style: { ...(fill ? filling : {}), ...background(blur), ...style },
    },
  }
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

function measures(
  src: string,
  { fill, width, height }: ImageProps,
  imported: StaticImageData | null,
): { width: number; height: number } | null {
  if (fill) return null
  const ratio = imported ? imported.width / imported.height : null
  const [wide, high] = [width, height].map((each) => (each === undefined ? null : Number(each)))
  const measured = {
    width: wide ?? (high && ratio ? Math.round(high * ratio) : imported?.width),
    height: high ?? (wide && ratio ? Math.round(wide / ratio) : imported?.height),
  }
  if (measured.width && measured.height) return measured as { width: number; height: number }
  throw new Error(
    `The image ${src} has no ${measured.width ? 'height' : 'width'}: give it width and height, or fill, or import it.`,
  )
}

function candidates(
  src: string,
  loader: ImageLoader,
  quality: number,
  size: { width: number } | null,
): string {
  const wanted = size ? [size.width, size.width * 2] : widths
  return wanted.map((width) => `${loader({ src, width, quality })} ${width}w`).join(', ')
}
