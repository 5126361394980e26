/**
 * Lets React work in a document whose text nodes the browser's translator has replaced with
 * elements. React hydrates such a replacement as if it were the original text. Just before React
 * changes or removes a text, this module puts the original back, and the translator translates it
 * again.
 *
 * Without this module, an update may leave the page blank. Mounting translated parts again isn't an
 * alternative, because they would lose their state with each update. Since React doesn't announce its
 * commits, the module intercepts the DOM methods that React calls.
 * @see docs/upstream/react-translated-text/report.md
 */

/** For each text or earlier replacement, the element with which the translator has replaced it. */
const replacements = new WeakMap<Node, Node>()
/** The original text of each replacement. The inverse of `replacements`. */
const originals = new WeakMap<Node, Text>()
/** Replacements that React has hydrated as if they were the text. */
const hydratedReplacements = new WeakSet<Node>()
let observer: MutationObserver | undefined

/**
 * Finds replaced texts among DOM changes.
 * @param from the observer of the changes. This module removes its own changes from the observer's
 * queue
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
  // Replacements from before the observer started can be found, but only React knows their text.
  // The app's own <font> elements have an attribute.
  for (const { parentNode } of document.querySelectorAll('font:not([color],[face]) > font')) {
    if (parentNode && !originals.has(parentNode)) replace(parentNode, new Text())
  }
}

function replace(added: Node, text: Text, removed: Node = text): void {
  replacements.set(removed, added)
  originals.set(added, text)
  // React updates a text node by setting `nodeValue`, so restore the original text first.
  const write = (data: string) => Object.assign(restoreOriginal(text), { data })
  define(text, 'nodeValue', () => text.data, write)
  // Do this even after hydration, because React may hydrate the text again before it commits.
  if (added.nodeName === 'FONT') hydrateAs(text, added)
}

/**
 * Makes an element look to React like the text node that it replaces. If the text isn't known, takes
 * it from the props with which React compares it. For a text node without siblings, React reads the
 * parent's `textContent`, so that property is replaced, too.
 */
function hydrateAs(text: Text, font: Node): void {
  const read = (node: Node) => {
    const key = Object.keys(node).find((each) => each.startsWith('__reactFiber'))
    if (key) text.data ||= textOf(Object(node)[key].memoizedProps)
    // If the replacement had React's key, React would take the text for an event's target, which
    // must be an element. So delete the key.
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
      // A translator may have wrapped the node in an element or removed it, so remove it from its
      // current parent.
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

/** Returns the child of `parent` that is or contains `node`, or `null`. */
function childAround(parent: Node, node: Node | null): Node | null {
  let at = node
  while (at && at.parentNode !== parent) at = at.parentNode
  return at
}

/**
 * Puts a replaced text back, together with its siblings, because a translation may have moved words
 * between them.
 * @returns the original text if `domNode` is a replacement that React treats as the text; otherwise
 * `domNode`
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
