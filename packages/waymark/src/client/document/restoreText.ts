/**
 * Lets React work in a document whose texts somebody else has replaced: just before React changes or removes one of
 * its texts, the text stands in its place again. A translator that follows the page translates it once more.
 */

import { isOfReact } from '../../react/client/elements.ts'

/** React hydrates the boundaries of a page one after the other; of those that come later, texts are left alone. */
const checkMs = 1_000
const maxChecks = 5

/** What stands in the place of a text, or of an earlier replacement. */
const replacements = new WeakMap<Node, Node>()
/** The inverse, down to the text. */
const originals = new WeakMap<Node, Text>()
/** All texts that are replaced. */
const replaced = new Set<Text>()
let observer: MutationObserver | undefined
/** While React takes the document over: texts are put back at once. */
let restoreNow: ((text: Text) => void) | null = null

/**
 * Learns from changes of the document which texts were replaced.
 * @param from gets the changes; those made here are taken from it, so that they count as nobody's
 */
export function readReplacements(records: readonly MutationRecord[], from: MutationObserver): void {
  if (!observer) letReactFindItsTexts()
  observer = from
  for (const { removedNodes, addedNodes, previousSibling } of records) {
    const [removed] = removedNodes
    const added = addedNodes[0] ?? (previousSibling?.nodeName === 'FONT' ? previousSibling : null)
    if (!removed || !added) continue
    const text = originals.get(removed) ?? (removed instanceof Text ? removed : null)
    if (!text || added === text) continue
    remember(text, removed, added)
    restoreNow?.(text)
  }
}

/**
 * Puts all texts back, and each that is replaced from now on.
 * @returns ends this once React has taken over what it will, and shows the replacements again
 */
export function restoreAll(): () => void {
  const shown = new Map<Text, Shown>()
  const done = new WeakSet<Text>()
  restoreNow = (text) => {
    if (done.has(text)) return
    const value = text.data
    const last = restore(text)
    // An element that was put around the text has nothing to show without it.
    if (last?.textContent) shown.set(text, { value, last })
  }
  for (const text of replaced) restoreNow(text)
  return () => {
    const marked = new Set<Text>()
    let checks = 0
    const timer = setInterval(() => {
      const isLast = ++checks === maxChecks
      if (isLast) {
        restoreNow = null
        clearInterval(timer)
      }
      for (const [text, each] of shown) {
        if (!isHydrated(text)) continue
        // React marks a text before it is done with the boundary around it, and may begin that again.
        if (marked.has(text) || isLast) {
          shown.delete(text)
          done.add(text)
          show(text, each)
        }
        marked.add(text)
      }
    }, checkMs)
  }
}

/** What stood in the place of a text while it had a value. */
type Shown = { readonly value: string; readonly last: Node }

function show(text: Text, { value, last }: Shown): void {
  if (!text.isConnected || text.data !== value) return
  replace(text, last)
  remember(text, text, last)
}

/** The only text of an element has no mark of its own. */
function isHydrated(text: Text): boolean {
  const { parentNode } = replacements.get(text) ?? text
  return isOfReact(text) || (parentNode?.childNodes.length === 1 && isOfReact(parentNode))
}

function remember(text: Text, removed: Node, added: Node): void {
  replacements.set(removed, added)
  originals.set(added, text)
  replaced.add(text)
  followWrites(text)
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

/**
 * Puts a replaced text back, and its siblings: a translation may have moved words from one to the other.
 */
function giveBack(node: Node): void {
  const shown = restore(node)
  for (const sibling of shown ? [...(node.parentNode?.childNodes ?? [])] : []) {
    const text = originals.get(sibling)
    if (text) restore(text)
  }
}

/** @returns what stood in the place of the text; `null` when nothing did */
function restore(node: Node): Node | null {
  let shown = replacements.get(node)
  while (shown && !shown.isConnected) shown = replacements.get(shown)
  if (!shown) return null
  replacements.delete(node)
  replaced.delete(node as Text)
  replace(shown, node)
  return shown
}

function replace(shown: Node, node: Node): void {
  shown.parentNode?.replaceChild(node, shown)
  observer?.takeRecords()
}
