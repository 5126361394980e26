import type { ServerApp, ServerPart } from 'waymark/plugin'
import { receiveBeacons } from 'waymark/plugin/server'
import { arrivalsPath, maxBeaconBytes } from '../shared/load.ts'
import { countsName } from '../shared/series.ts'
import { createArrivalMetrics } from './arrivalMetrics.ts'
import { createLoadCounter } from './loadCounter.ts'
import { parseBeacon } from './parseBeacon.ts'

const limits = {
  overall: { burst: 20_000, perSecond: 20_000 },
  // Allow a large burst, because many people in one office may share an address.
  perClient: { burst: 100, perSecond: 5 },
  maxClients: 10_000,
  maxBytes: maxBeaconBytes,
}
/** Milliseconds between two records of counts. */
const storeEachMs = 300_000
/**
 * Minimum milliseconds between two records, whatever browsers send, because a record may have a
 * megabyte.
 */
const storeAtMostEachMs = 60_000

type App = Pick<ServerApp, 'buildId' | 'patterns' | 'journal'>

/**
 * Counts in memory the loads that browsers report. The counts are stored every five minutes and when the
 * server stops.
 */
export function countArrivals({ buildId, patterns, journal }: App): ServerPart {
  const counter = createLoadCounter(patterns, buildId)
  const metrics = createArrivalMetrics(patterns, buildId)
  let fromMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function store(): void {
    clearTimeout(timer)
    timer = undefined
    if (counter.isEmpty()) return
    journal.write({
      kind: 'counts',
      name: countsName,
      fromMs,
      toMs: Date.now(),
      data: counter.take(),
    })
  }

  function count(add: () => void): void {
    if (counter.isEmpty()) fromMs = Date.now()
    add()
    if (counter.isFull() && Date.now() - fromMs >= storeAtMostEachMs) store()
    timer ??= setTimeout(store, storeEachMs)
    // Don't let the timer keep the process alive, because the remaining counts are stored when the
    // process ends. In workerd, timers are numbers and have no `unref`.
    timer.unref?.()
  }

  function receive(text: string): boolean {
    const beacon = parseBeacon(text)
    if (!beacon) return false
    count(() => counter.add(beacon))
    metrics.add(beacon)
    return true
  }

  journal.onClose(store)
  return {
    endpoints: [
      {
        path: arrivalsPath,
        handle: receiveBeacons(limits, receive),
        metrics: metrics.text,
        onDocument: (document) => count(() => counter.addDocument(document)),
      },
    ],
  }
}
