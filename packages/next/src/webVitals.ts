'use client'

import { useEffect, useRef } from 'react'

/** A metric of a page, as browsers measure it. */
export type Metric = { readonly name: string; readonly value: number; readonly id: string }

const types: Readonly<Record<string, string>> = {
  'largest-contentful-paint': 'LCP',
  paint: 'FCP',
  'layout-shift': 'CLS',
  event: 'INP',
}

/**
 * A browser's performance entry for an event. `interactionId` is 0 if the event isn't an
 * interaction.
 */
type InteractionEntry = { readonly interactionId?: number; readonly duration: number }

/**
 * Measures the delay between an input and the next paint (INP). The result is the longest
 * interaction, except that one outlier is ignored for every 50 interactions.
 * @see https://web.dev/articles/inp
 */
export function createInteractions(count: (seen: number) => number) {
  const longest = new Map<number, number>()
  let seen = 0
  return {
    /** Adds an event. @returns the new value in milliseconds; `null` if it hasn't changed */
    add({ interactionId = 0, duration }: InteractionEntry): number | null {
      if (interactionId === 0) return null
      const before = estimate()
      const previous = longest.get(interactionId)
      if (previous === undefined) seen++
      longest.set(interactionId, Math.max(previous ?? 0, duration))
      if (longest.size > mostInteractions) {
        const [shortest] = [...longest].sort(([, a], [, b]) => a - b)
        if (shortest) longest.delete(shortest[0])
      }
      const after = estimate()
      return after === before ? null : after
    },
  }
  function estimate(): number | null {
    const durations = [...longest.values()].sort((a, b) => b - a)
    return durations[Math.min(Math.floor(count(seen) / 50), durations.length - 1)] ?? null
  }
}

const mostInteractions = 10

const interactionCount = (seen: number) =>
  (performance as { readonly interactionCount?: number }).interactionCount ?? seen

/**
 * Reports the browser's metrics of the document: TTFB, FCP, LCP, CLS and INP.
 * @param report called with each new value of a metric
 */
export function useReportWebVitals(report: (metric: Metric) => void): void {
  const latest = useRef(report)
  latest.current = report
  useEffect(() => {
    const id = `v-${Date.now()}-${Math.trunc(Math.random() * 1e9)}`
    const send = (name: string, value: number) => latest.current({ name, value, id })
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (document) send('TTFB', document.responseStart)
    let shift = 0
    const interactions = createInteractions(interactionCount)
    const observers = Object.entries(types).map(([type, name]) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (name === 'FCP' && entry.name !== 'first-contentful-paint') continue
          if (name === 'INP') {
            const value = interactions.add(entry)
            if (value !== null) send(name, value)
          } else if (name !== 'CLS') send(name, entry.startTime)
          else if (!(entry as { hadRecentInput?: boolean }).hadRecentInput) {
            shift += (entry as unknown as { value: number }).value
            send(name, shift)
          }
        }
      })
      // Ignore events shorter than 40 milliseconds.
      const init = { type, buffered: true, durationThreshold: 40 }
      observer.observe(init)
      return observer
    })
    return () => observers.forEach((observer) => void observer.disconnect())
  }, [])
}
