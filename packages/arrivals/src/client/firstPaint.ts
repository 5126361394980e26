const name = 'first-contentful-paint'

type View = Pick<Window, 'document' | 'performance'>

/**
 * Calls `onPaint` with the time of the first paint; `null` in a tab that was opened in the background.
 */
export function onFirstPaint(
  { document, performance }: View,
  onPaint: (atMs: number | null) => void,
): void {
  // If the page has already been painted, call `onPaint` now: the stored events that are replayed
  // next belong to later loads.
  const [painted] = performance.getEntriesByName(name)
  if (painted) {
    onPaint(painted.startTime)
    return
  }
  const observer = new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName(name)
    if (!paint) return
    observer.disconnect()
    onPaint(paint.startTime)
  })
  observer.observe({ type: 'paint', buffered: true })
  if (document.visibilityState === 'hidden') onPaint(null)
}
