import type { ReactNode } from 'react'
import type { Photo } from './photos.ts'

const width = 320
const height = 220
const layers = 4

/** Draws a sun behind ridges that get darker towards the front. */
export function Picture({ photo }: { photo: Photo }): ReactNode {
  const [hue, sun, seed] = photo.drawing
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={photo.title}>
      <rect width={width} height={height} fill={`hsl(${hue} 42% 88%)`} />
      <circle cx={width * 0.68} cy={height * sun} r="24" fill="hsl(44 85% 80%)" />
      {Array.from({ length: layers }, (_, layer) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the layers never change
          key={layer}
          d={ridge(layer, seed)}
          fill={`hsl(${hue} ${24 + layer * 4}% ${70 - layer * 15}%)`}
        />
      ))}
    </svg>
  )
}

function ridge(layer: number, seed: number): string {
  const base = height * (0.48 + layer * 0.14)
  const points = Array.from({ length: 17 }, (_, step) => {
    const at = step / 16
    const swing = Math.sin(at * (5 + layer) + seed * (layer + 1)) + Math.sin(at * 13 + seed * 2.3)
    return `${Math.round(at * width)} ${Math.round(base - swing * (17 - layer * 2))}`
  })
  return `M0 ${height}L${points.join('L')}L${width} ${height}Z`
}
