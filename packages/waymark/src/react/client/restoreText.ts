/**
 * Lets React work in a document whose texts a translator has replaced. React hydrates what stands
 * for a text as that text. Just before React changes or removes one of its texts, the text stands in
 * its place again, and is translated once more.
 *
 * React does not announce that it is about to commit. Mounting a translated part again would lose its
 * state with each update. Without this file, an update may leave the page blank.
 * @see docs/upstream/react-translated-text/report.md
 */

/** The element that stands in the place of a text, or of an earlier replacement. */
const replacements = new WeakMap<Node, Node>()
/** The text for each replacement: the inverse of `replacements`. */
const originals = new WeakMap<Node, Text>()
/** Replacements that React has hydrated as the text. */
const hydratedReplacements = new WeakSet<Node>()
let observer: MutationObserver | undefined

/**
 * Learns which texts were replaced.
 * @param from gets the changes; those made here are taken from it
 */
export function readReplacements(records: readonly MutationRecord[], from: MutationObserver): void {
  const isFirst = !observer
  observer = from
  for (const { removedNodes, addedNodes, previousSibling } of records) {
    const [removed] = removedNodes
    const added = addedNodes[0] ?? (previousSibling?.nodeName === 'FONT' ? previousSibling : null)
    const isText = removed instanceof Text && added instanceof Element
    const text = (removed && originals.get(removed)) ?? (isText ? removed : null)
    if (text && added && added !== text) replace(added, text, removed)
  }
  if (!isFirst) return
  letReactFindItsTexts()
  // Older than the observer: React will tell the text. An app's own <font> has an attribute.
  for (const { parentNode } of document.querySelectorAll('font:not([color],[face]) > font')) {
    if (parentNode && !originals.has(parentNode)) replace(parentNode, new Text())
  }
}

function replace(added: Node, text: Text, removed: Node = text): void {
  replacements.set(removed, added)
  originals.set(added, text)
  // React writes a text by its `nodeValue`.
  const write = (data: string) => Object.assign(restoreOriginal(text), { data })
  define(text, 'nodeValue', () => text.data, write)
  // Also after hydration: React may not have committed it, and hydrate it once more.
  if (added.nodeName === 'FONT') hydrateAs(text, added)
}

/**
 * Has React take an element for the text that it replaces. Where the text is not known, it is the
 * one that React compares it with. Of a text without siblings, React reads its parent's
 * `textContent`.
 */
function hydrateAs(text: Text, font: Node): void {
  const read = (node: Node) => {
    const key = Object.keys(node).find((each) => each.startsWith('__reactFiber'))
    if (key) text.data ||= textOf(Object(node)[key].memoizedProps)
    // With it, an event would be the text's; React needs an element.
    if (key && node === font && Reflect.deleteProperty(node, key)) hydratedReplacements.add(node)
    return text.data || font.textContent
  }
  define(font, 'nodeType', () => 3)
  define(
    font,
    'nodeValue',
    () => read(font),
    (nodeValue) => Object.assign(text, { nodeValue }),
  )
  const { parentNode: at } = font
  if (at?.childNodes.length !== 1) return
  const native = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  const get = () => (at.firstChild === font ? read(at) : native?.get?.call(at))
  define(at, 'textContent', get, native?.set)
}

function define(node: Node, name: string, get: () => unknown, set = (_: string) => {}): void {
  Object.defineProperty(node, name, { configurable: true, get, set })
}

function textOf(props: unknown): string {
  const { children = props } = Object(props)
  return typeof children === 'object' ? '' : String(children ?? '')
}

function letReactFindItsTexts(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      const node = restoreOriginal(child)
      // A translator may have put an element around the node, or removed it.
      return node.parentNode ? removeChild.call(node.parentNode, node) : child
    },
    insertBefore(this: Node, node: Node, before: Node | null) {
      return insertBefore.call(
        this,
        restoreOriginal(node),
        childAround(this, before && restoreOriginal(before)),
      )
    },
    appendChild(this: Node, node: Node) {
      return appendChild.call(this, restoreOriginal(node))
    },
  })
}

/** The child of `parent` that is `node` or holds it; `null`, the end, when there is none. */
function childAround(parent: Node, node: Node | null): Node | null {
  let at = node
  while (at && at.parentNode !== parent) at = at.parentNode
  return at
}

/**
 * Puts a replaced text back, and its siblings, whose words a translation may have exchanged.
 * @returns the text, also where React has its replacement for it
 */
function restoreOriginal(domNode: Node): Node {
  const node = (hydratedReplacements.has(domNode) && originals.get(domNode)) || domNode
  for (const sibling of restore(node) ? [...(node.parentNode?.childNodes ?? [])] : []) {
    const other = originals.get(sibling)
    if (other) restore(other)
  }
  return node
}

function restore(node: Node): Node | null {
  let replacement = replacements.get(node)
  while (replacement && !replacement.isConnected) replacement = replacements.get(replacement)
  if (!replacement) return null
  replacements.delete(node)
  replacement.parentNode?.replaceChild(node, replacement)
  observer?.takeRecords()
  return replacement
}
