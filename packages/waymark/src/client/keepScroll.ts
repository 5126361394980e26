import { createScrollMemory, type ScrollMemory } from './navigation/scroll.ts'

const memories = new WeakMap<Window, ScrollMemory>()

/**
 * Keeps scroll positions that the browser would lose: of elements marked for it, left by a hash,
 * or with the document; and brings back those of the document before. Once for each window.
 * @param key of the history entry whose page is on the screen
 */
export function keepScroll(view: Window, key: () => string): ScrollMemory {
  const known = memories.get(view)
  if (known) return known
  const memory = createScrollMemory(view)
  memories.set(view, memory)
  const save = () => memory.save(key())
  view.addEventListener('pagehide', save)
  const saveBeforeHash = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.hash) save()
  }
  view.document.addEventListener('click', saveBeforeHash, { capture: true })
  const [entry] = view.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (entry?.type === 'reload' || entry?.type === 'back_forward') memory.restoreMarked(key())
  return memory
}
