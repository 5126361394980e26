import type { ReactNode } from 'react'
import { ImageResponse } from '@waymark/image/og'

function Missing(): ReactNode {
  throw new Error('This card has no data.')
}

export function GET(): Response {
  return new ImageResponse(<Missing />)
}
