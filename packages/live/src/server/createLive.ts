import {
  appSecrets,
  type CreateLive,
  clientNetwork,
  createTokenBuckets,
  decodeText,
  type Endpoint,
  isSameOrigin,
  onDrain,
  readBody,
} from 'waymark/internal/server'
import { heartbeatMs, type LiveMessage, livePath, maxRequestBytes } from '../shared/messages.ts'
import { createEventBody } from './eventBody.ts'
import { createFollowReads } from './followReads.ts'
import { createHub } from './hub.ts'
import { readLiveRequest } from './readLiveRequest.ts'
import { createSeal, type Followed } from './seal.ts'

/** Connections in all, and of one address: an office of many people may share it. */
const most = { connections: 20_000, perClient: 200 }
/** Requests of one address. */
const rate = { burst: 200, perSecond: 20 }
const maxClients = 10_000
const withinMs = 10_000
/** Then its browser connects again, with its cookies of then. */
const longestMs = 10 * 60_000
/** Over which those who were connected come again. */
const spreadMs = 5_000

type ServerRequest = Parameters<Endpoint['handle']>[0]
type Response = NonNullable<Awaited<ReturnType<Endpoint['handle']>>>

/** Tells open pages that something of them was changed; they fetch it with all guards. */
export const createLive: CreateLive = ({ cache, sealer, ownerOf }) => {
  const seal = createSeal(sealer, () => appSecrets()[0])
  const hub = createHub(heartbeatMs)
  const requests = createTokenBuckets(rate, maxClients)
  const connections = new Map<string, number>()
  let isDraining = false
  cache.onInvalidated(hub.invalidate)
  onDrain(() => {
    isDraining = true
    hub.endAll()
  })

  function check(pages: readonly string[], request: ServerRequest) {
    const changed: number[] = []
    const gone: number[] = []
    const current: { place: number; tags: readonly string[] }[] = []
    const owner = ownerOf(request)
    for (const [place, sealed] of pages.entries()) {
      const followed = seal.open(sealed)
      if (!followed || !isOf(followed, owner)) gone.push(place)
      else {
        if (isChanged(followed)) changed.push(place)
        current.push({ place, tags: followed.tags })
      }
    }
    return { state: { changed, gone }, current }
  }

  const isChanged = ({ tags, mark }: Followed) => mark === '' || cache.isChanged(tags, mark)

  function open(pages: readonly string[], request: ServerRequest): Response {
    const client = clientNetwork(request) ?? ''
    const own = connections.get(client) ?? 0
    if (hub.size() >= most.connections || (client !== '' && own >= most.perClient)) return refuse(503)
    connections.set(client, own + 1)
    const end = setTimeout(() => waiting.end(), longestMs * (0.8 + Math.random() * 0.2))
    end.unref?.()
    const body = createEventBody(() => {
      clearTimeout(end)
      hub.remove(waiting)
      const left = (connections.get(client) ?? 1) - 1
      if (left > 0) connections.set(client, left)
      else connections.delete(client)
    })
    const waiting = {
      changed: (places: readonly number[]) => body.send({ changed: places }),
      heartbeat: body.heartbeat,
      end() {
        body.send({ againAfterMs: Math.round(Math.random() * spreadMs) })
        body.end()
      },
    }
    // First, so that no change is missed between the two.
    hub.add(waiting, follow(pages, request, body.send))
    return { status: 200, headers: [['content-type', 'text/event-stream'], ...uncached], body }
  }

  function follow(
    pages: readonly string[],
    request: ServerRequest,
    send: (message: LiveMessage) => void,
  ) {
    const { state, current } = check(pages, request)
    send(state)
    return current
  }

  async function handle(request: ServerRequest): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, [['allow', 'POST']])
    if (!isSameOrigin(request)) return refuse(403)
    const client = clientNetwork(request)
    if (client !== null && !requests.take(client, Date.now())) return refuse(429)
    if (isDraining) return refuse(503)
    const read = await readBody(request, { maxBytes: maxRequestBytes, withinMs })
    if (read.kind !== 'body') return refuse(refusals[read.kind])
    const asked = readLiveRequest(decodeText(read.bytes) ?? '')
    if (!asked) return refuse(400)
    if (asked.wait) return open(asked.pages, request)
    const body = JSON.stringify(check(asked.pages, request).state)
    return { status: 200, headers: [['content-type', 'application/json'], ...uncached], body }
  }

  return {
    endpoint: {
      path: livePath,
      handle,
      metrics: () => `# TYPE waymark_live_connections gauge\nwaymark_live_connections ${hub.size()}\n`,
    },
    followReads: createFollowReads({ cache, ownerOf, seal }),
  }
}

const refusals = { 'too-large': 413, 'too-slow': 408, malformed: 400 } as const

// `x-accel-buffering`: nginx passes each event on at once.
const uncached: [string, string][] = [
  ['cache-control', 'no-store, no-transform'],
  ['x-accel-buffering', 'no'],
]

function refuse(status: number, headers: [string, string][] = []): Response {
  const again: [string, string][] = status === 429 || status === 503 ? [['retry-after', '5']] : []
  return { status, headers: [...uncached, ...headers, ...again], body: null }
}

function isOf({ owner, untilMs }: Followed, sender: string): boolean {
  return (owner === '' || owner === sender) && (untilMs === null || untilMs > Date.now())
}
