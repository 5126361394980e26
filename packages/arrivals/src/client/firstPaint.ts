const name = 'first-contentful-paint'

type View = Pick<Window, 'document' | 'performance'>

/** Calls back with the first paint; with `null` in a tab that was opened behind another. */
export function onFirstPaint(
  { document, performance }: View,
  onPaint: (atMs: number | null) => void,
): void {
  // Now, if it was painted: what happened since is told right after, and is no part of this load.
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
