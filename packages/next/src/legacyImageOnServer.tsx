import type { ReactNode } from 'react'
import Image from './image.tsx'
import { type LegacyImageProps, renderLegacyImage } from './legacyLayout.ts'

/** Renders an image in a server component, where an image can't have handlers. */
export default function LegacyImage(props: LegacyImageProps): ReactNode {
  return renderLegacyImage(Image, props)
}
