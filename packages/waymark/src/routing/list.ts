import { collectEntries, type LeafEntry } from './place.ts'
import type { RouteTree } from './routeNode.ts'
import { compareSpecificity } from './specificity.ts'
import { covers } from './urlIndex.ts'

/** A route in a list. */
export type ListedRoute = {
  /** `/blog/[slug]` */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** The page or route file, relative to the app folder. */
  readonly file: string
}

/**
 * Lists the routes of a tree, the more specific first. A page that stands in a slot only is
 * listed with its own file; intercepting pages are not: they answer no URL by themselves.
 */
export function listRoutes(tree: RouteTree): ListedRoute[] {
  return listLeaves(tree).map(({ pattern, kind, file }) => ({ pattern, kind, file }))
}

/**
 * Lists the places of the routes of a tree, the more specific first.
 */
export function listLeaves(tree: RouteTree): LeafEntry[] {
  const { main } = collectEntries(tree)
  const leaves = [...main.leaves]
  const listed = new Set(leaves.map(({ pattern }) => pattern))
  for (const { leaf } of main.slotLeaves) {
    if (listed.has(leaf.pattern) || covers(main.pages, leaf.place.pattern)) continue
    listed.add(leaf.pattern)
    leaves.push(leaf)
  }
  return leaves.sort((a, b) => compareSpecificity(a.place.pattern, b.place.pattern))
}
