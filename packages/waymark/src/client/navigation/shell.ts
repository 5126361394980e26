import type { ReactNode } from 'react'
import type { Payload, PayloadSegment } from '../../shared/payload.ts'
import { findSegment } from './instances.ts'
import { completePage, type Page } from './page.ts'

/** What stands in for a segment that is still to come: it keeps a loading screen on. */
const pending = new Promise<never>(() => {})

/**
 * Makes a page of what was fetched ahead of one that is rendered for each request: its layouts,
 * with the loading screen in place of the page. What is mounted stays as it is.
 * @param mounted the page on the screen
 * @returns `null` when there is nothing new to show, or the browser does not hold all of it
 */
export function shellPage(
  payload: Payload,
  mounted: Page,
  entry: Pick<Page, 'key' | 'fetchedAtMs'>,
): Page | null {
  if (endOf(payload.tree).key in mounted.segments) return null
  const tree = withMounted(payload.tree, mounted.tree)
  const segments: Record<string, ReactNode> = { ...payload.segments, ...mounted.segments }
  for (const { key, slots } of segmentsOf(tree)) {
    if (key in segments) continue
    if (slots) return null
    segments[key] = pending
  }
  // Its title comes with the page.
  const { head } = mounted
  return { ...completePage({ ...payload, tree, segments, head }, mounted, entry), isShell: true }
}

function endOf({ key, slots }: PayloadSegment): { readonly key: string } {
  return slots?.children ? endOf(slots.children) : { key }
}

/** What a slot beside the page has mounted, it goes on showing. */
function withMounted(segment: PayloadSegment, mounted: PayloadSegment): PayloadSegment {
  const { key, slots } = segment
  if (!slots) return findSegment(mounted, key) ?? segment
  const entries = Object.entries(slots).map(([name, child]) => [name, withMounted(child, mounted)])
  return { key, slots: Object.fromEntries(entries) }
}

function segmentsOf(tree: PayloadSegment): PayloadSegment[] {
  return [tree, ...Object.values(tree.slots ?? {}).flatMap(segmentsOf)]
}
