import type { ReactNode } from 'react'
import { keysOf } from '../../components/segmentInstances.ts'
import type { Payload, PayloadSegment } from '../../shared/payload.ts'

/** A page in the browser: complete, whatever its response left out. */
export type Page = Payload & {
  /** Of its history entry. */
  readonly key: string
  /** When its data was fetched, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /**
   * Pathname that decides about interceptions: its own, or that of the page in the background,
   * where it is shown over another.
   */
  readonly from: string
  /**
   * Which mounting of a segment it shows, by segment key: what two pages share has the same one,
   * and what is visited again has another than when it was left.
   */
  readonly instances: Readonly<Record<string, string>>
}

/**
 * Completes what a navigation fetched: segments that were left out are those of the page
 * that is mounted.
 */
export function completePage(
  payload: Payload,
  mounted: Page,
  entry: Pick<Page, 'key' | 'fetchedAtMs'>,
): Page {
  const segments: Record<string, ReactNode> = {}
  const instances: Record<string, string> = {}
  for (const key of keysOf(payload.tree)) {
    segments[key] = key in payload.segments ? payload.segments[key] : mounted.segments[key]
    instances[key] = mounted.instances[key] ?? `${key} ${entry.fetchedAtMs}`
  }
  const { tree, route, head, theme } = payload
  const from = payload.isOver ? mounted.from : route.pathname
  const page = { tree, route, head, segments, instances, from, ...entry }
  return theme === undefined ? page : { ...page, theme }
}

/** The keys of mounted segments that have others inside of them. */
export function layoutKeys(tree: PayloadSegment): string[] {
  if (!tree.slots) return []
  return [tree.key, ...Object.values(tree.slots).flatMap(layoutKeys)]
}
