import {
  type ComponentType,
  type CSSProperties,
  createElement,
  type ImgHTMLAttributes,
  type ReactNode,
} from 'react'
import { type ImageLoader, type ImageProps, measures, type StaticImport } from './image.tsx'

/** Attributes of an image, and options that control its size and how it is loaded. */
export type LegacyImageProps = Omit<
  ImgHTMLAttributes<HTMLImageElement>,
  'src' | 'srcSet' | 'width' | 'height' | 'loading'
> & {
  readonly src: string | StaticImport
  readonly width?: number | string | undefined
  readonly height?: number | string | undefined
  /** Default: `intrinsic`, or `responsive` with `sizes`. */
  readonly layout?: 'fill' | 'fixed' | 'intrinsic' | 'responsive' | undefined
  readonly objectFit?: CSSProperties['objectFit']
  readonly objectPosition?: CSSProperties['objectPosition']
  readonly loader?: ImageLoader | undefined
  readonly quality?: number | string | undefined
  readonly priority?: boolean | undefined
  readonly loading?: 'eager' | 'lazy' | undefined
  readonly placeholder?: 'blur' | 'empty' | undefined
  readonly blurDataURL?: string | undefined
  readonly unoptimized?: boolean | undefined
  /** Called once the image has loaded. Only works in client components. */
  readonly onLoadingComplete?:
    | ((size: { readonly naturalWidth: number; readonly naturalHeight: number }) => void)
    | undefined
  /** Has no effect, because browsers decide when to load a lazy image. */
  readonly lazyBoundary?: string | undefined
  /** Has no effect, because browsers decide when to load a lazy image. */
  readonly lazyRoot?: unknown
}

/** The style of the element around the image, and the props of the image inside it. */
export type LegacyLayout = { readonly box: CSSProperties; readonly image: ImageProps }

/**
 * Renders an image inside an element that has the size that `layout` describes.
 * @param Image component for server components or for client components
 */
export function renderLegacyImage(
  Image: ComponentType<ImageProps>,
  props: LegacyImageProps,
): ReactNode {
  const { box, image } = legacyLayout(props)
  return createElement('span', { style: box }, createElement(Image, image))
}

/**
 * Converts props of `next/legacy/image` to props of `next/image`. The image fills the element around
 * it, whose size depends on `layout`.
 * @throws Error if the size isn't known
 */
export function legacyLayout(props: LegacyImageProps): LegacyLayout {
  const { layout = props.sizes ? 'responsive' : 'intrinsic', objectFit, objectPosition } = props
  const { layout: _, objectFit: __, objectPosition: ___, ...rest } = props
  const { lazyBoundary: ____, lazyRoot: _____, width, height, quality, ...attributes } = rest
  const fills = layout === 'fill' || layout === 'responsive'
  const dimensions = { width: width as ImageProps['width'], height: height as ImageProps['height'] }
  const size = measures({ src: props.src, ...dimensions, fill: layout === 'fill' })
  return {
    box: { ...boxes[layout], ...sizeOf(layout, size), overflow: 'hidden' },
    image: {
      ...attributes,
      alt: props.alt ?? '',
      quality: quality as ImageProps['quality'],
      ...(fills ? { fill: true } : dimensions),
      // The props of the layout have precedence over `style`.
      style: { ...props.style, ...filling, objectFit, objectPosition },
    },
  }
}

const filling: CSSProperties = { position: 'absolute', inset: 0, width: '100%', height: '100%' }

const boxes = {
  fill: { display: 'block', position: 'absolute', inset: 0 },
  responsive: { display: 'block', position: 'relative', width: '100%' },
  intrinsic: { display: 'inline-block', position: 'relative', maxWidth: '100%' },
  fixed: { display: 'inline-block', position: 'relative' },
} as const satisfies Record<string, CSSProperties>

function sizeOf(layout: keyof typeof boxes, size: ReturnType<typeof measures>): CSSProperties {
  if (size === null) return {}
  const aspectRatio = `${size.width} / ${size.height}`
  switch (layout) {
    case 'fill':
      return {}
    case 'responsive':
      return { aspectRatio }
    case 'intrinsic':
      return { aspectRatio, width: size.width }
    case 'fixed':
      return size
  }
}
