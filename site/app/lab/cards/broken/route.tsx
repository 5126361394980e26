import { ImageResponse } from '@waymark/image/og'
import type { ReactNode } from 'react'

function Missing(): ReactNode {
  throw new Error('This card has no data.')
}

export function GET(): Response {
  return new ImageResponse(<Missing />)
}
