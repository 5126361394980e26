/** What React's server puts between the nodes of a page, and its client does not. */
const besides = 'script, template, link, style, [hidden][id^="S:"]'

/**
 * Finds what an earlier state of the document had in the place of an element: the nodes between
 * its neighbours.
 * @param place an element in the document
 * @param before a copy of the document's body
 * @returns nothing where the two differ in more than this place
 */
export function partBetween(place: Element, before: Node): Node[] {
  const { body } = place.ownerDocument
  const { parentNode } = place
  const parent = parentNode && counterpart(parentNode, body, before)
  if (!parent) return []
  const [now, then] = [nodesOf(parentNode), nodesOf(parent)]
  const index = now.indexOf(place)
  return then.slice(index, then.length - (now.length - index - 1))
}

/** The node of the copy that stands where a node stands in the original. */
function counterpart(node: Node, root: Node, copy: Node): Node | null {
  if (node === root) return copy
  const { parentNode } = node
  const parent = parentNode && counterpart(parentNode, root, copy)
  if (!parent) return null
  const found = nodesOf(parent)[nodesOf(parentNode).indexOf(node as ChildNode)]
  return found?.nodeName === node.nodeName ? found : null
}

function nodesOf({ childNodes }: Node): ChildNode[] {
  return [...childNodes].filter((node) =>
    node instanceof Element ? !node.matches(besides) : node.nodeType !== Node.COMMENT_NODE,
  )
}
