import type { ReactNode } from 'react'
import type { Payload, PayloadSegment } from '../../shared/payload.ts'

/** A page as the browser holds it: complete, whatever its answer left out. */
export type Page = Payload & {
  /** Of its history entry. */
  readonly key: string
  /** When its data was fetched, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /**
   * Pathname that decides about interceptions: that of the page in the background, where one is
   * shown over another.
   */
  readonly from: string
}

/**
 * Makes a page of what a navigation fetched: segments that were left out are those of the page
 * that is mounted.
 */
export function completePage(
  payload: Payload,
  mounted: Payload,
  entry: Pick<Page, 'key' | 'fetchedAtMs' | 'from'>,
): Page {
  const segments: Record<string, ReactNode> = {}
  for (const key of keysOf(payload.tree)) {
    segments[key] = key in payload.segments ? payload.segments[key] : mounted.segments[key]
  }
  const { tree, route, head, theme } = payload
  return { tree, route, head, segments, ...entry, ...(theme === undefined ? {} : { theme }) }
}

/** The keys of mounted segments that have others inside of them. */
export function layoutKeys(tree: PayloadSegment): string[] {
  if (!tree.slots) return []
  return [tree.key, ...Object.values(tree.slots).flatMap(layoutKeys)]
}

/** Finds a mounted segment. */
export function findSegment(tree: PayloadSegment, key: string): PayloadSegment | null {
  if (tree.key === key) return tree
  for (const child of Object.values(tree.slots ?? {})) {
    const found = findSegment(child, key)
    if (found) return found
  }
  return null
}

function keysOf(tree: PayloadSegment): string[] {
  return [tree.key, ...Object.values(tree.slots ?? {}).flatMap(keysOf)]
}
