import type { MatchedLeaf, MatchedSegment } from '../../routing/matched.ts'
import { isBare } from './segments.ts'

/**
 * Cuts a matched route at its first loading screens: what a browser can show of it before the page
 * itself has come.
 * @param mounted keys that the browser has on its screen: what stands around them loads no more
 * @returns `null` when there is no loading screen that the browser would show
 */
export function cutAtLoading(
  root: MatchedSegment,
  mounted: ReadonlySet<string>,
): MatchedSegment | null {
  const cut = cutSegment(root, mounted)
  return isPending(endOf(cut), mounted) ? cut : null
}

/** The keys by which a payload names what a match mounts. */
export function mountedKeys(root: MatchedSegment): ReadonlySet<string> {
  const keys = new Set<string>()
  const visit = (segment: MatchedSegment) => {
    keys.add(segment.key)
    if (segment.kind === 'folder') for (const slot of Object.values(segment.slots)) visit(slot)
  }
  visit(root)
  return keys
}

function cutSegment(segment: MatchedSegment, mounted: ReadonlySet<string>): MatchedSegment {
  if (segment.kind !== 'folder') {
    return mounted.has(segment.key) ? pendingLeaf(segment, segment.key) : segment
  }
  const slots: Record<string, MatchedSegment> = {}
  for (const name in segment.slots) {
    const child = segment.slots[name] as MatchedSegment
    const key = keyOf(child)
    const loads = name === 'children' && segment.node.files.loading && !mounted.has(key)
    slots[name] = loads ? pendingLeaf(child, key) : cutSegment(child, mounted)
  }
  return { ...segment, slots }
}

// As what stands behind an interception: named, and not rendered.
function pendingLeaf({ node, params }: MatchedSegment, key: string): MatchedLeaf {
  return { kind: 'default', key, node, params, page: null, background: true }
}

/** The key that a payload has for a segment: a folder that adds nothing has none of its own. */
function keyOf(segment: MatchedSegment): string {
  if (segment.kind !== 'folder' || !isBare(segment)) return segment.key
  return keyOf(segment.slots.children as MatchedSegment)
}

function endOf(root: MatchedSegment): MatchedSegment {
  return root.kind === 'folder' ? endOf(root.slots.children as MatchedSegment) : root
}

// What is mounted is named, too, and not rendered.
function isPending({ background, key }: MatchedSegment, mounted: ReadonlySet<string>): boolean {
  return background && !mounted.has(key)
}
