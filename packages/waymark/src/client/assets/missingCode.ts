import { createElement, type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { MissingModule } from './modules.ts'

type Exports = Readonly<Record<string, (props: object) => ReactNode>>

/** A module that is replaced by a stand-in. */
type Missing = {
  exports: Exports | null
  readonly listeners: Set<() => void>
  readonly module: MissingModule
}

export type MissingCodeNotice = { show(retry: () => void): void; hide(): void }

/**
 * Lets a page work without the code for some components by keeping their HTML. If the user has typed
 * something, React waits for the code instead, because React might render the page again and lose the
 * text.
 */
export function createMissingCode(
  document: Document,
  notice: MissingCodeNotice,
  isDirty: () => boolean,
) {
  const all = new Set<Missing>()

  function arrive(missing: Missing, exports: unknown): void {
    if (!all.delete(missing)) return
    missing.exports = exports as Exports
    missing.module.resolve(exports)
    for (const listener of missing.listeners) listener()
    if (all.size === 0) notice.hide()
  }
  function retry(missing: Missing): Promise<void> {
    const loading = missing.module.load()
    return loading.then((exports) => arrive(missing, exports)).catch(() => {})
  }
  function show(): void {
    const run = () => {
      notice.hide()
      void Promise.all([...all].map(retry)).then(() => all.size > 0 && show())
    }
    notice.show(run)
  }
  return {
    isMissing: () => all.size > 0,
    /** Lets React continue without a module. The notice offers to load it again. */
    add(module: MissingModule): void {
      const existing = [...all].find((each) => each.module.resolve === module.resolve)
      const missing = existing ?? { exports: null, listeners: new Set(), module }
      all.add(missing)
      module.delayed?.then((exports) => arrive(missing, exports)).catch(() => {})
      if (existing) return
      // Show the notice only once the stand-in is mounted. Before that, React may clear the
      // document, including the notice.
      if (!isDirty()) module.resolve(standInFor(missing, document, once(show)))
      else show()
    },
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Creates a module whose exports all show the HTML from the document until the real module arrives. */
function standInFor(missing: Missing, document: Document, onMount: () => void): object {
  const components = new Map<PropertyKey, unknown>()
  const componentOf = (name: PropertyKey) => {
    if (!components.has(name))
      components.set(name, standIn(missing, String(name), { document, onMount }))
    return components.get(name)
  }
  return new Proxy(
    {},
    {
      get: (_, name) => (name === '__esModule' ? true : componentOf(name)),
      // React ignores properties of a module that aren't its own.
      getOwnPropertyDescriptor: (_, name) => ({
        configurable: true,
        enumerable: true,
        value: componentOf(name),
      }),
    },
  )
}

function standIn(
  missing: Missing,
  name: string,
  { document, onMount }: { document: Document; onMount: () => void },
) {
  // A copy of the server's HTML, which is made during hydration, because React may remove the
  // original afterwards.
  let rendered: Node | null = null
  const subscribe = (listener: () => void) => {
    missing.listeners.add(listener)
    return () => missing.listeners.delete(listener)
  }
  const duringHydration = () => {
    // In a document without a window, copies of custom elements don't run their constructors. The
    // constructor of Vite's error overlay would throw an error.
    rendered = document.implementation.createHTMLDocument().importNode(document.body, true)
    throw missing.module.error
  }
  // biome-ignore lint/correctness/noComponentHookFactories: created once for each export
  return function MissingComponent(props: object): ReactNode {
    const exports = useSyncExternalStore(subscribe, () => missing.exports, duringHydration)
    const place = useRef<HTMLElement>(null)
    useLayoutEffect(() => {
      if (rendered && place.current) place.current.append(...partBetween(place.current, rendered))
      onMount()
    }, [])
    const component = exports?.[name]
    if (component) return createElement(component, props)
    return createElement('waymark-missing', {
      ref: place,
      style: { display: 'contents' },
      // biome-ignore lint/security/noDangerouslySetInnerHtml: keeps React from managing the content
      dangerouslySetInnerHTML: { __html: '' },
    })
  }
}

/**
 * Elements that React adds to the server's HTML, but that aren't in the browser's component tree.
 */
const besides = 'script, template, link, style, [hidden][id^="S:"]'

/** Finds the nodes in a copy of the body that correspond to an element. */
function partBetween(place: Element, before: Node): Node[] {
  const { body } = place.ownerDocument
  const { parentNode } = place
  const parent = parentNode && counterpart(parentNode, body, before)
  if (!parent) return []
  const now = nodesOf(parentNode)
  const then = nodesOf(parent)
  const index = now.indexOf(place)
  return then.slice(index, then.length - (now.length - index - 1))
}

function counterpart(node: Node, root: Node, copy: Node): Node | null {
  if (node === root) return copy
  const { parentNode } = node
  const parent = parentNode && counterpart(parentNode, root, copy)
  if (!parent) return null
  // Compare only nodes of the same name, because an extension may have added elements to the page, or
  // React may have removed them.
  const alike = (each: Node) => nodesOf(each).filter(({ nodeName }) => nodeName === node.nodeName)
  return alike(parent)[alike(parentNode).indexOf(node as ChildNode)] ?? null
}

function nodesOf({ childNodes }: Node): ChildNode[] {
  return [...childNodes].filter((node) =>
    node instanceof Element ? !node.matches(besides) : node.nodeType !== Node.COMMENT_NODE,
  )
}
