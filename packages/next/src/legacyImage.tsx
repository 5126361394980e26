import type { ReactNode } from 'react'
import Image from './imageInClient.tsx'
import { type LegacyImageProps, renderLegacyImage } from './legacyLayout.ts'

export type { ImageLoader, ImageLoaderProps, StaticImageData, StaticImport } from './image.tsx'
export type { LegacyImageProps as ImageProps } from './legacyLayout.ts'

/** Renders an image inside an element that has the size that `layout` describes. */
export default function LegacyImage(props: LegacyImageProps): ReactNode {
  return renderLegacyImage(Image, props)
}
