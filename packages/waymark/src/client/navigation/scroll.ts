/** Scroll positions, by history entry; they survive a reload of the tab. */
export type ScrollMemory = {
  save(key: string): void
  /** @returns false when the entry has none */
  restore(key: string): boolean
}

type Positions = { readonly window: readonly [x: number, y: number] } & {
  readonly marked: Readonly<Record<string, readonly [x: number, y: number]>>
}

const storageKey = 'waymark-scroll'
const maxEntries = 50

/** Elements that keep their position, too: `data-scroll-restore="sidebar"`. */
const markedSelector = '[data-scroll-restore]'

/** Makes the memory of a window. */
export function createScrollMemory(view: Window): ScrollMemory {
  const known = new Map<string, Positions>(read(view))

  return {
    save(key) {
      known.delete(key)
      known.set(key, positionsOf(view))
      const kept = [...known].slice(-maxEntries)
      try {
        view.sessionStorage.setItem(storageKey, JSON.stringify(kept))
      } catch {
        // Full or blocked: positions are then kept as long as the document.
      }
    },
    restore(key) {
      const positions = known.get(key)
      if (!positions) return false
      for (const element of view.document.querySelectorAll<HTMLElement>(markedSelector)) {
        const position = positions.marked[element.dataset.scrollRestore ?? '']
        if (position) element.scrollTo(...position)
      }
      view.scrollTo({ left: positions.window[0], top: positions.window[1], behavior: 'instant' })
      return true
    },
  }
}

/** Goes to where a new page begins: the element of its hash, or the top. */
export function scrollToStart(view: Window, hash: string): void {
  const target = hash ? view.document.getElementById(decodeURIComponent(hash.slice(1))) : null
  if (target) target.scrollIntoView()
  else view.scrollTo({ left: 0, top: 0, behavior: 'instant' })
}

function positionsOf(view: Window): Positions {
  const marked: Record<string, readonly [number, number]> = {}
  for (const element of view.document.querySelectorAll<HTMLElement>(markedSelector)) {
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
