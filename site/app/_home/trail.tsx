import type { ReactNode } from 'react'
import { blazeStroke } from '../_ui/blaze.tsx'
import styles from './hero.module.css'

const path =
  'M596 760C640 706 616 662 668 640s96 20 118-34-14-78 24-104 66 10 96-14 18-56 58-62 52 10 84-30'

const blazes = [
  [650, 636],
  [770, 614],
  [798, 502],
  [892, 486],
  [952, 424],
] as const

/** A marked trail to the summit, drawn over the map. */
export function Trail(): ReactNode {
  return (
    <svg className={styles.trail} viewBox="0 0 1200 760" aria-hidden="true">
      <path className={styles.path} d={path} />
      {blazes.map(([x, y]) => (
        <path key={x} d={blazeStroke} transform={`translate(${x} ${y})`} />
      ))}
      <path className={styles.summit} d="M1050 346l13 22h-26z" />
    </svg>
  )
}
