import { hasFragment, linkOf } from './clickedLink.ts'

const memories = new WeakMap<Window, ScrollMemory>()

export type ScrollMemory = {
  save(key: string): void
  /**
   * Restores the scroll positions of a history entry.
   * @param whole resolves once the page is complete; until then, the page may be too short for its
   * position
   * @returns false if no positions are saved
   */
  restore(key: string, whole?: Promise<unknown>): boolean
}

type Positions = { readonly window: readonly [x: number, y: number] } & {
  readonly marked: Readonly<Record<string, readonly [x: number, y: number]>>
}

const storageKey = 'waymark-scroll'
const maxEntries = 50

/** Selects elements that keep their scroll position, such as `<div data-scroll-restore="sidebar">`. */
const markedSelector = '[data-scroll-restore]'

/** Remembers scroll positions that the browser would lose, once for each window. */
export function keepScroll(view: Window, key: () => string): ScrollMemory {
  const existing = memories.get(view)
  if (existing) return existing
  const positions = new Map<string, Positions>(read(view))
  let stop = () => {}
  const memory: ScrollMemory = {
    save(entry) {
      stop()
      positions.delete(entry)
      positions.set(entry, positionsOf(view))
      const stored = [...positions].slice(-maxEntries)
      try {
        view.sessionStorage.setItem(storageKey, JSON.stringify(stored))
      } catch {
        // If the storage is full or blocked, the positions only last as long as this document.
      }
    },
    restore(entry, whole = Promise.resolve()) {
      stop()
      const saved = positions.get(entry)
      if (!saved) return false
      restoreAll(view, saved)
      stop = restoreWhileItGrows(view, saved, whole)
      return true
    },
  }
  memories.set(view, memory)
  const save = () => memory.save(key())
  view.addEventListener('pagehide', save)
  const saveBeforeHash = (event: Event) => {
    const link = linkOf(event)
    if (link && hasFragment(link)) save()
  }
  view.document.addEventListener('click', saveBeforeHash, { capture: true })
  const [load] = view.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const before = positions.get(key())
  // The browser only restores the window's position after a reload or traversal, so restore
  // elements, too.
  if (before && /^(reload|back_forward)$/.test(load?.type ?? '')) {
    restoreElements(view, before)
    // The router has turned off the browser's own restoration, so restore the window's position
    // while the document arrives.
    if (view.document.readyState !== 'complete' && isAtEnd(view)) {
      const whole = new Promise((resolve) => view.addEventListener('load', resolve, { once: true }))
      stop = restoreWhileItGrows(view, before, whole)
    }
  }
  return memory
}

function restoreAll(view: Window, saved: Positions): void {
  restoreElements(view, saved)
  view.scrollTo({ left: saved.window[0], top: saved.window[1], behavior: 'instant' })
}

/** Events that show that the user is about to scroll. `pointerdown` covers dragging the scrollbar. */
const inputEvents = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const

/**
 * Restores a position repeatedly while a page streams, until the page is complete or the user scrolls.
 * @returns a function that stops restoring the position
 */
function restoreWhileItGrows(view: Window, saved: Positions, whole: Promise<unknown>): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const stop = () => ended.abort()
  let restored = view.scrollY
  const again = () => {
    if (signal.aborted) return
    restoreAll(view, saved)
    restored = view.scrollY
  }
  const growth = new ResizeObserver(again)
  growth.observe(view.document.documentElement)
  if (view.document.body) growth.observe(view.document.body)
  signal.addEventListener('abort', () => growth.disconnect())
  const options = { capture: true, passive: true, signal }
  for (const type of inputEvents) view.addEventListener(type, stop, options)
  // In some browsers, dragging the scrollbar fires only `scroll`, so watch this event, too. Ignore
  // it at the end of the window, because shrinking content also fires `scroll` and moves the window
  // to its end.
  const onScroll = () => {
    if (Math.abs(view.scrollY - restored) > 1 && !isAtEnd(view)) stop()
  }
  view.addEventListener('scroll', onScroll, options)
  // React shows the last part a few frames after it has arrived, so stop a little later.
  const end = () => setTimeout(stop, settleMs)
  whole.then(end, end)
  return stop
}

const settleMs = 300

function isAtEnd({ scrollY, innerHeight, document }: Window): boolean {
  return scrollY + innerHeight >= document.documentElement.scrollHeight - 2
}

function restoreElements({ document }: Window, { marked }: Positions): void {
  for (const element of visibleMarked(document)) {
    const position = marked[element.dataset.scrollRestore ?? '']
    if (position) element.scrollTo({ left: position[0], top: position[1], behavior: 'instant' })
  }
}

// Finds visible elements only. The document also contains previous pages, which are hidden.
function visibleMarked(document: Document): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(markedSelector)]
  return all.filter((element) => element.checkVisibility())
}

/** Scrolls to the start of a new page, which is the element of its hash or the top. */
export function scrollToStart(view: Window, hash: string): void {
  const target = hash ? visibleTarget(view.document, hash) : null
  if (target) target.scrollIntoView()
  else view.scrollTo({ left: 0, top: 0, behavior: 'instant' })
}

function visibleTarget(document: Document, hash: string): Element | null {
  let id = hash.slice(1)
  try {
    id = decodeURIComponent(id)
  } catch {
    // The hash isn't valid percent-encoding, so use it unchanged.
  }
  const all = [...document.querySelectorAll(`[id="${CSS.escape(id)}"]`)]
  return all.find((element) => element.checkVisibility()) ?? null
}

function positionsOf(view: Window): Positions {
  const marked: Record<string, readonly [number, number]> = {}
  for (const element of visibleMarked(view.document)) {
    marked[element.dataset.scrollRestore ?? ''] = [element.scrollLeft, element.scrollTop]
  }
  return { window: [view.scrollX, view.scrollY], marked }
}

function read(view: Window): [string, Positions][] {
  try {
    return JSON.parse(view.sessionStorage.getItem(storageKey) ?? '[]')
  } catch {
    return []
  }
}
