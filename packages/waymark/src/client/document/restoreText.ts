/**
 * Lets React work in a document whose texts a translator has replaced: just before React changes or
 * removes one of its texts, the text stands in its place again, and is translated once more.
 */

/** What stands in the place of a text, or of an earlier replacement. */
const replacements = new WeakMap<Node, Node>()
/** The inverse, down to the text. */
const originals = new WeakMap<Node, Text>()
let observer: MutationObserver | undefined

/**
 * Learns which texts were replaced.
 * @param from gets the changes; those made here are taken from it
 */
export function readReplacements(records: readonly MutationRecord[], from: MutationObserver): void {
  if (!observer) letReactFindItsTexts()
  observer = from
  for (const { removedNodes, addedNodes, previousSibling } of records) {
    const [removed] = removedNodes
    const added = addedNodes[0] ?? (previousSibling?.nodeName === 'FONT' ? previousSibling : null)
    if (!removed || !added) continue
    const isText = removed instanceof Text && added instanceof Element
    const text = originals.get(removed) ?? (isText ? removed : null)
    if (!text || added === text) continue
    replacements.set(removed, added)
    originals.set(added, text)
    followWrites(text)
  }
}

/** React writes a text by its `nodeValue`. */
function followWrites(text: Text): void {
  Object.defineProperty(text, 'nodeValue', {
    configurable: true,
    get: () => text.data,
    set(value: string) {
      giveBack(text)
      text.data = value
    },
  })
}

function letReactFindItsTexts(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      giveBack(child)
      const parent = child.parentNode
      // Where somebody has put an element around it, or has removed it.
      return parent ? removeChild.call(parent, child) : child
    },
    insertBefore(this: Node, node: Node, before: Node | null) {
      giveBack(node)
      if (before) giveBack(before)
      return insertBefore.call(this, node, childAround(this, before))
    },
    appendChild(this: Node, node: Node) {
      giveBack(node)
      return appendChild.call(this, node)
    },
  })
}

/** The child of `parent` that is `node` or holds it; `null`, the end, when there is none. */
function childAround(parent: Node, node: Node | null): Node | null {
  let at = node
  while (at && at.parentNode !== parent) at = at.parentNode
  return at
}

/** Puts a replaced text back, and its siblings, whose words a translation may have exchanged. */
function giveBack(node: Node): void {
  const shown = restore(node)
  for (const sibling of shown ? [...(node.parentNode?.childNodes ?? [])] : []) {
    const text = originals.get(sibling)
    if (text) restore(text)
  }
}

function restore(node: Node): Node | null {
  let shown = replacements.get(node)
  while (shown && !shown.isConnected) shown = replacements.get(shown)
  if (!shown) return null
  replacements.delete(node)
  shown.parentNode?.replaceChild(node, shown)
  observer?.takeRecords()
  return shown
}
