import type { ScrollMemory } from './navigation/scroll.ts'

/**
 * Keeps scroll positions that the browser would lose: left by a hash, or with the document.
 * @param key of the history entry whose page is on the screen
 */
export function keepScroll(memory: ScrollMemory, key: () => string): void {
  addEventListener('pagehide', () => memory.save(key()))
  const saveBeforeHash = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.hash) memory.save(key())
  }
  document.addEventListener('click', saveBeforeHash, { capture: true })
}

/** Brings back what the browser itself does not, after it has loaded the document again. */
export function restoreScroll(memory: ScrollMemory, key: string): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (entry?.type === 'reload' || entry?.type === 'back_forward') memory.restoreMarked(key)
}
