/**
 * Lets React work in a document whose texts a translator has replaced. React hydrates what stands
 * for a text as that text. Just before React changes or removes one of its texts, the text stands in
 * its place again, and is translated once more.
 */

/** What stands in the place of a text, or of an earlier replacement. */
const replacements = new WeakMap<Node, Node>()
/** The inverse, down to the text. */
const originals = new WeakMap<Node, Text>()
/** Replacements that React has taken for the text. */
const taken = new WeakSet<Node>()
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
    if (!removed || !added) continue
    const isText = removed instanceof Text && added instanceof Element
    const text = originals.get(removed) ?? (isText ? removed : null)
    if (text && added !== text) replace(removed, added, text)
  }
  if (!isFirst) return
  letReactFindItsTexts()
  // Older than the observer: React will tell the text. An app's own <font> has an attribute.
  for (const { parentNode } of document.querySelectorAll(
    'font:not([color],[face],[size]) > font',
  )) {
    const text = new Text()
    if (parentNode && !originals.has(parentNode)) replace(text, parentNode, text)
  }
}

function replace(removed: Node, added: Node, text: Text): void {
  replacements.set(removed, added)
  originals.set(added, text)
  // React writes a text by its `nodeValue`.
  define(text, 'nodeValue', {
    get: () => text.data,
    set(value: string) {
      giveBack(text)
      text.data = value
    },
  })
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
    if (key) text.data ||= textOf((node as unknown as Record<string, Fiber>)[key])
    // With it, an event would be the text's; React needs an element.
    if (key && node === font && Reflect.deleteProperty(node, key)) taken.add(node)
    return text.data || font.textContent
  }
  define(font, 'nodeType', { value: 3 })
  define(font, 'nodeValue', {
    get: () => read(font),
    set(value: string) {
      text.nodeValue = value
    },
  })
  const { parentNode } = font
  if (parentNode?.childNodes.length !== 1) return
  const native = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  const get = () =>
    parentNode.firstChild === font ? read(parentNode) : native?.get?.call(parentNode)
  define(parentNode, 'textContent', { ...native, get })
}

function define(node: Node, name: string, attributes: PropertyDescriptor): void {
  Object.defineProperty(node, name, { ...attributes, configurable: true })
}

type Fiber = { readonly memoizedProps?: unknown } | undefined

function textOf(fiber: Fiber): string {
  const { children = fiber?.memoizedProps } = Object(fiber?.memoizedProps)
  return typeof children === 'object' ? '' : String(children ?? '')
}

function letReactFindItsTexts(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      const node = giveBack(child)
      const parent = node.parentNode
      // Where somebody has put an element around it, or has removed it.
      return parent ? removeChild.call(parent, node) : child
    },
    insertBefore(this: Node, node: Node, before: Node | null) {
      const given = giveBack(node)
      return insertBefore.call(this, given, childAround(this, before && giveBack(before)))
    },
    appendChild(this: Node, node: Node) {
      return appendChild.call(this, giveBack(node))
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
function giveBack(given: Node): Node {
  const node = (taken.has(given) && originals.get(given)) || given
  const shown = restore(node)
  for (const sibling of shown ? [...(node.parentNode?.childNodes ?? [])] : []) {
    const other = originals.get(sibling)
    if (other) restore(other)
  }
  return node
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
