import { splitPathname } from '../../routing/params.ts'
import { collectEntries } from '../../routing/place.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import { addLeaf, createUrlIndex, findLeaf, type UrlIndex } from '../../routing/urlIndex.ts'

/** Makes what tells whether a navigation inside the app may show another page at a pathname. */
export function createIsIntercepted(tree: RouteTree): (pathname: string) => boolean {
  // A server starts faster without it: it is made when it is first asked for.
  let index: UrlIndex<true> | null = null
  return (pathname) => {
    index ??= indexOf(tree)
    return findLeaf(index, splitPathname(pathname) ?? [], 0) !== null
  }
}

function indexOf(tree: RouteTree): UrlIndex<true> {
  const index = createUrlIndex<true>()
  for (const { leaf } of collectEntries(tree).interceptions)
    addLeaf(index, leaf.place.pattern, true)
  return index
}
