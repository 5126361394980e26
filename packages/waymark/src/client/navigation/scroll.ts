import { hasFragment, linkOf } from './clickedLink.ts'

const memories = new WeakMap<Window, ScrollMemory>()

export type ScrollMemory = {
  save(key: string): void
  restore(key: string): boolean
}

type Positions = { readonly window: readonly [x: number, y: number] } & {
  readonly marked: Readonly<Record<string, readonly [x: number, y: number]>>
}

const storageKey = 'waymark-scroll'
const maxEntries = 50

/** Elements that keep their position, too: `data-scroll-restore="sidebar"`. */
const markedSelector = '[data-scroll-restore]'

/** Keeps scroll positions that the browser would lose. Once for each window. */
export function keepScroll(view: Window, key: () => string): ScrollMemory {
  const known = memories.get(view)
  if (known) return known
  const positions = new Map<string, Positions>(read(view))
  const memory: ScrollMemory = {
    save(entry) {
      positions.delete(entry)
      positions.set(entry, positionsOf(view))
      const stored = [...positions].slice(-maxEntries)
      try {
        view.sessionStorage.setItem(storageKey, JSON.stringify(stored))
      } catch {
        // Full or blocked: positions then live as long as the document.
      }
    },
    restore(entry) {
      const saved = positions.get(entry)
      if (!saved) return false
      restoreElements(view, saved)
      view.scrollTo({ left: saved.window[0], top: saved.window[1], behavior: 'instant' })
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
  // The window itself, the browser restores.
  if (before && /^(reload|back_forward)$/.test(load?.type ?? '')) restoreElements(view, before)
  return memory
}

function restoreElements({ document }: Window, { marked }: Positions): void {
  for (const element of visibleMarked(document)) {
    const position = marked[element.dataset.scrollRestore ?? '']
    if (position) element.scrollTo({ left: position[0], top: position[1], behavior: 'instant' })
  }
}

// Previous pages, for going back, are in the document, too, and hidden.
function visibleMarked(document: Document): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(markedSelector)]
  return all.filter((element) => element.checkVisibility())
}

/** Goes to where a new page begins: the element of its hash, or the top. */
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
    // Not encoded as a URL would be: then it is the id as it stands.
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
