'use client'

import { useEffect, useRef } from 'react'

/** A measure of a page, as browsers report it. */
export type Metric = { readonly name: string; readonly value: number; readonly id: string }

const types: Readonly<Record<string, string>> = {
  'largest-contentful-paint': 'LCP',
  paint: 'FCP',
  'layout-shift': 'CLS',
}

/**
 * Reports what the browser measures of the document: its first byte, first and largest paint, and
 * shifts as they add up.
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
    const observers = Object.entries(types).map(([type, name]) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (name === 'FCP' && entry.name !== 'first-contentful-paint') continue
          if (name !== 'CLS') send(name, entry.startTime)
          else if (!(entry as { hadRecentInput?: boolean }).hadRecentInput) {
            shift += (entry as unknown as { value: number }).value
            send(name, shift)
          }
        }
      })
      observer.observe({ type, buffered: true })
      return observer
    })
    return () => observers.forEach((observer) => void observer.disconnect())
  }, [])
}
