import type { ReactNode } from 'react'
import styles from './blaze.module.css'

/**
 * Hikers' trail marks. One mark means straight on, two offset marks mean a turn, and three mean the end
 * of the trail.
 */
export type BlazeKind = 'on' | 'turn' | 'end'

/** Outline of one mark, 12 by 22: a rectangle with brushed edges. */
export const blazeStroke =
  'M.6.9C3.4.3 8.2.6 11.5.4 12 4.7 11.6 9.1 11.7 13c.1 3 .3 5.9-.1 8.6-3.3.5-7.5.2-11.1.4-.4-3.8.1-8.5-.1-12.7C.3 6.4.2 3.5.6.9Z'

type Shape = { readonly width: number; readonly height: number; readonly marks: readonly string[] }

const shapes: Readonly<Record<BlazeKind, Shape>> = {
  on: { width: 12, height: 23, marks: ['0 0'] },
  turn: { width: 22, height: 49, marks: ['10 0', '0 26'] },
  end: { width: 28, height: 49, marks: ['8 0', '0 26', '16 26'] },
}

/** A painted trail mark. Decorative, because the text next to it has the same meaning. */
export function Blaze({ kind = 'on' }: { kind?: BlazeKind }): ReactNode {
  const { width, height, marks } = shapes[kind]
  return (
    <svg
      className={styles.blaze}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      {marks.map((place) => (
        <path key={place} d={blazeStroke} transform={`translate(${place})`} />
      ))}
    </svg>
  )
}
