import { type MetricType, onCLS, onINP, onLCP, onTTFB } from 'web-vitals'
import type { Vital } from '../shared/vital.ts'

/** @param onVital called for each vital once it is final, at the latest when the page is hidden */
export function watchVitals(onVital: (url: string, vital: Omit<Vital, 'route'>) => void): void {
  // Use the document's own URL, because the router may have navigated to another page before this code
  // loaded.
  const documentUrl = performance.getEntriesByType('navigation')[0]?.name ?? location.href
  const report = ({ name, value, navigationType, navigationURL }: MetricType) => {
    const isSoft = navigationType === 'soft-navigation'
    if (name === 'FCP' || (isSoft && name === 'TTFB')) return
    const amount = Math.round(name === 'CLS' ? value * 1000 : value)
    onVital(navigationURL ?? documentUrl, { name, isSoft, value: Math.max(0, amount) })
  }
  const options = { reportSoftNavs: true }
  for (const watch of [onLCP, onINP, onCLS, onTTFB]) watch(report, options)
}
