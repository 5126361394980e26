import {
  type CreateEndpoint,
  clientNetwork,
  createTokenBucket,
  createTokenBuckets,
  emptyResponse,
  isSentByOwnPage,
  readBody,
} from 'waymark/internal/server'
import { arrivalsPath, maxBeaconBytes } from '../shared/load.ts'
import { countsName } from '../shared/series.ts'
import { createLoadCounter } from './loadCounter.ts'
import { parseBeacon } from './parseBeacon.ts'

// An office of many people may share an address.
const perClient = { burst: 100, perSecond: 5 }
const maxClients = 10_000
// A browser sends a beacon at once.
const limits = { maxBytes: maxBeaconBytes, withinMs: 10_000 }
/** Between two records: the journal of a busy server has others, too. */
const storeEachMs = 300_000

const refusals = { 'too-large': 413, 'too-slow': 408, malformed: 400 } as const

/**
 * Counts the loads that browsers report. Anybody can send a report: it is refused early, counted in
 * memory, and the counts are stored each five minutes and when the server ends.
 */
export const createEndpoint: CreateEndpoint = ({ buildId, patterns, write, onClose }) => {
  const counter = createLoadCounter(patterns, buildId)
  const overall = createTokenBucket({ burst: 20_000, perSecond: 5_000 })
  const clients = createTokenBuckets(perClient, maxClients)
  let fromMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function store(): void {
    clearTimeout(timer)
    timer = undefined
    if (counter.isEmpty()) return
    write({ kind: 'counts', name: countsName, fromMs, toMs: Date.now(), data: counter.take() })
  }

  onClose(store)
  return {
    path: arrivalsPath,
    async handle(request) {
      if (request.method !== 'POST') return emptyResponse(405, [['allow', 'POST']])
      if (!isSentByOwnPage(request)) return emptyResponse(403)
      const client = clientNetwork(request)
      const nowMs = Date.now()
      // The client's limit first, so that one client can't use up the common limit.
      const isTooMuch = (client !== null && !clients.take(client, nowMs)) || !overall.take(nowMs)
      if (isTooMuch) return emptyResponse(429, [['retry-after', '60']])
      const body = await readBody(request, limits)
      if (body.kind !== 'body') return emptyResponse(refusals[body.kind])
      const beacon = parseBeacon(new TextDecoder().decode(body.bytes))
      if (!beacon) return emptyResponse(400)
      if (counter.isEmpty()) fromMs = nowMs
      counter.add(beacon)
      if (counter.isFull()) store()
      timer ??= setTimeout(store, storeEachMs)
      // The end of the process stores what is left. workerd has numbers.
      timer.unref?.()
      return emptyResponse(204)
    },
  }
}
