import { createElement, type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { NoticeTexts } from '../../screens/screenTexts.ts'
import type { NoticeBoard } from '../navigation/notice.ts'
import { partBetween } from './documentPart.ts'

/** The module of a client component that could not be loaded. */
export type MissingModule = {
  readonly error: unknown
  /** The first attempt, which may still succeed. */
  readonly late: Promise<unknown>
  /** Gives the module, or something in its place, to what waits for it. */
  resolve(module: unknown): void
  /** Tries again. @returns rejects when that fails */
  load(): Promise<unknown>
}

/** The code that a page lacks. */
export type MissingCode = {
  /** Lets React go on without a module; the notice offers to load it again. */
  add(missing: MissingModule): void
  readonly isMissing: () => boolean
}

type Exports = Readonly<Record<string, (props: object) => ReactNode>>

/** One module in whose place something stands. */
type Missing = {
  exports: Exports | null
  readonly listeners: Set<() => void>
  readonly module: MissingModule
}

/**
 * Lets a page do without the code of some of its components: their HTML stays as the server has
 * rendered it, and the rest of the page works.
 * @param mayReplace whether React may render anew what it could not hydrate: not where something
 *   was typed, which would be lost
 */
export function createMissingCode(
  document: Document,
  {
    board,
    texts,
    mayReplace,
  }: {
    readonly board: NoticeBoard
    readonly texts: NoticeTexts
    readonly mayReplace: () => boolean
  },
): MissingCode {
  const all = new Set<Missing>()

  function arrive(missing: Missing, exports: unknown): void {
    if (!all.delete(missing)) return
    // What plugin-rsc registers for a module are its exports.
    missing.exports = exports as Exports
    missing.module.resolve(exports)
    for (const listener of missing.listeners) listener()
    if (all.size === 0) board.hide()
  }
  function retry(missing: Missing): Promise<void> {
    return missing.module.load().then(
      (exports) => arrive(missing, exports),
      () => {},
    )
  }
  function show(): void {
    const run = () => {
      board.hide()
      void Promise.all([...all].map(retry)).then(() => all.size > 0 && show())
    }
    board.show({ text: texts.missingCode, actions: [{ label: texts.retry, run }] })
  }
  return {
    isMissing: () => all.size > 0,
    add(module) {
      const known = [...all].find((each) => each.module.resolve === module.resolve)
      const missing = known ?? { exports: null, listeners: new Set(), module }
      all.add(missing)
      module.late.then(
        (exports) => arrive(missing, exports),
        () => {},
      )
      if (known) return
      // React may clear the document before it shows what stands in, the notice with it.
      if (mayReplace()) module.resolve(standInFor(missing, document, once(show)))
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

/** A module whose every export shows the HTML of the document, until it is there itself. */
function standInFor(missing: Missing, document: Document, onShown: () => void): object {
  const components = new Map<PropertyKey, unknown>()
  const componentOf = (name: PropertyKey) => {
    if (!components.has(name))
      components.set(name, standIn(missing, String(name), { document, onShown }))
    return components.get(name)
  }
  return new Proxy(
    {},
    {
      get: (_, name) => (name === '__esModule' ? true : componentOf(name)),
      // React takes own properties only.
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
  { document, onShown }: { document: Document; onShown: () => void },
) {
  // As the server has rendered it; hydration is where React still has it.
  let rendered: Node | null = null
  const subscribe = (listener: () => void) => {
    missing.listeners.add(listener)
    return () => missing.listeners.delete(listener)
  }
  const duringHydration = () => {
    rendered = document.body.cloneNode(true)
    throw missing.module.error
  }
  return function MissingComponent(props: object): ReactNode {
    const exports = useSyncExternalStore(subscribe, () => missing.exports, duringHydration)
    const place = useRef<HTMLElement>(null)
    useLayoutEffect(() => {
      if (rendered && place.current) place.current.append(...partBetween(place.current, rendered))
      onShown()
    }, [])
    const component = exports?.[name]
    if (component) return createElement(component, props)
    return createElement('waymark-missing', {
      ref: place,
      style: { display: 'contents' },
      // What is in there is not React's.
      dangerouslySetInnerHTML: { __html: '' },
    })
  }
}
