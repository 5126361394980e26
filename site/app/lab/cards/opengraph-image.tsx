import { ImageResponse } from '@waymark/image/og'
import type { ReactNode } from 'react'

export const alt = 'Drawn from JSX: dark green on paper, with a red mark'
export const size = { width: 1200, height: 630 }

function Mark(): ReactNode {
  return <div tw="h-24 w-24 rounded-full bg-red-700" />
}

export default function Card(): ImageResponse {
  return new ImageResponse(
    <div
      tw="flex h-full w-full flex-col justify-between p-20"
      style={{ backgroundColor: '#fcfcf9', color: '#16382c' }}
    >
      <Mark />
      <div tw="flex flex-col">
        <div tw="text-8xl font-bold">Social cards</div>
        <div tw="mt-6 text-4xl">Flex, grid and Tailwind, without a browser.</div>
      </div>
    </div>,
    size,
  )
}
