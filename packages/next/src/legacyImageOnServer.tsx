import type { ReactNode } from 'react'
import Image from './image.tsx'
import { type LegacyImageProps, legacyLayout } from './legacyLayout.ts'

/** Renders an image in a server component, where an image can't have handlers. */
export default function LegacyImage(props: LegacyImageProps): ReactNode {
  const { box, image } = legacyLayout(props)
  return (
    <span style={box}>
      <Image {...image} />
    </span>
  )
}
