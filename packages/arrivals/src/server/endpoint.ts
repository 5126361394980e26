import type { ServerApp, ServerPart } from 'waymark/plugin'
import { receiveBeacons } from 'waymark/plugin/server'
import { arrivalsPath, maxBeaconBytes } from '../shared/load.ts'
import { countsName } from '../shared/series.ts'
import { createArrivalMetrics } from './arrivalMetrics.ts'
import { createLoadCounter } from './loadCounter.ts'
import { parseBeacon } from './parseBeacon.ts'

const limits = {
  overall: { burst: 20_000, perSecond: 20_000 },
  // Many people in one office may share an address.
  perClient: { burst: 100, perSecond: 5 },
  maxClients: 10_000,
  maxBytes: maxBeaconBytes,
}
/** Interval between records. A busy server writes other records to the journal, too. */
const storeEachMs = 300_000
/** Minimum time between records, whatever browsers send. A record may have a megabyte. */
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
    // The timer needn't keep the process alive, because its end stores the rest. In workerd, timers are
    // numbers.
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
