import type { Cache, Endpoint, ServerRequest } from 'waymark/plugin'
import {
  clientNetwork,
  createTokenBuckets,
  isSameOriginRequest,
  readText,
  refusalHeader,
} from 'waymark/plugin/server'
import { eventStream, livePath, maxRequestBytes } from '../shared/messages.ts'
import type { Clock } from './clock.ts'
import { createConnections } from './connections.ts'
import { invalidateFor, readBearer } from './externalChange.ts'
import type { Hub } from './hub.ts'
import { readLiveRequest } from './readLiveRequest.ts'
import { isOf, type OwnerOf, type Seal } from './subscription.ts'

type Response = NonNullable<Awaited<ReturnType<Endpoint['handle']>>>
type Headers = Response['headers']

type EndpointOptions = {
  readonly cache: Cache
  readonly clock: Clock
  readonly hub: Hub
  readonly ownerOf: OwnerOf
  readonly seal: Seal
}

/** Limit for requests from one client address. */
const rate = { burst: 200, perSecond: 20 }
const maxClients = 10_000
const withinMs = 10_000

/**
 * Creates the endpoint that tells pages which of their subscriptions have changed, at once or when
 * they change.
 */
export function createLiveEndpoint(options: EndpointOptions): Endpoint {
  const { cache, clock, hub, ownerOf, seal } = options
  const requests = createTokenBuckets(rate, maxClients)
  const connections = createConnections(hub)

  function check(pages: readonly string[], request: ServerRequest) {
    const owner = ownerOf(request)
    const opened = pages.map((sealed, place) => ({ place, followed: seal.open(sealed) }))
    const subscriptions = opened.flatMap(({ place, followed }) =>
      followed && isOf(followed, owner, Date.now()) ? [{ ...followed, place }] : [],
    )
    const changed = subscriptions.filter(
      ({ tags, mark }) => mark === '' || clock.isChanged(tags, mark),
    )
    const places = new Set(subscriptions.map(({ place }) => place))
    const gone = pages.flatMap((_, place) => (places.has(place) ? [] : [place]))
    const state = { changed: changed.map(({ place }) => place), gone, from: clock.process() }
    return { subscriptions, state }
  }

  function wait(pages: readonly string[], request: ServerRequest): Response {
    const body = connections.open(clientNetwork(request), (send) => {
      const { subscriptions, state } = check(pages, request)
      send(state)
      return subscriptions
    })
    return body ? respond(eventStream, body) : refuse(503)
  }

  async function handle(request: ServerRequest): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, [['allow', 'POST']])
    const client = clientNetwork(request)
    if (client !== null && !requests.take(client, Date.now())) return refuse(429)
    const isPage = isSameOriginRequest(request)
    // A proxy in front of the app may have added a bearer token to a page's request, so ignore it
    // there.
    const bearer = isPage ? null : readBearer(request)
    if (bearer === null && !isPage) return refuse(403)
    const read = await readText(request, { maxBytes: maxRequestBytes, withinMs })
    if (read.kind === 'refused') return refuse(read.status)
    if (bearer !== null) return refuse(await invalidateFor(bearer, read.text, cache))
    const liveRequest = readLiveRequest(read.text)
    if (!liveRequest) return refuse(400)
    if (liveRequest.wait) return wait(liveRequest.pages, request)
    return respond('application/json', JSON.stringify(check(liveRequest.pages, request).state))
  }

  return { path: livePath, handle }
}

// `x-accel-buffering` makes nginx pass on each event at once.
const uncached: Headers = [
  ['cache-control', 'no-store, no-transform'],
  ['x-accel-buffering', 'no'],
]

function respond(type: string, body: Response['body']): Response {
  return { status: 200, headers: [['content-type', type], ...uncached], body }
}

function refuse(status: number, headers: Headers = []): Response {
  const again: Headers = status === 429 || status === 503 ? [['retry-after', '5']] : []
  const ours: Headers = [[refusalHeader, String(status)]]
  return { status, headers: [...uncached, ...ours, ...headers, ...again], body: null }
}
