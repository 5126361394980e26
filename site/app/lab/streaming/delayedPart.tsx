import { setTimeout as sleep } from 'node:timers/promises'
import type { ReactNode } from 'react'
import styles from './streaming.module.css'

/** A part of the page that the server renders after a delay. */
export async function DelayedPart({ ms, name }: { ms: number; name: string }): Promise<ReactNode> {
  const startedAt = performance.now()
  if (ms > 0) await sleep(ms)
  const waited = Math.round(performance.now() - startedAt)
  return (
    <p className={styles.part}>
      <strong>{name}</strong> arrived after {waited} ms, at{' '}
      <time>{new Date().toISOString().slice(11, 23)}</time>
    </p>
  )
}
