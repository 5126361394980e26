// A service worker that applies the chosen fault to requests of the pages below /lab/faults/. The worker
// doesn't see requests from other pages.

const store = 'lab-faults'
const settingsUrl = '/lab/faults/settings'
const off = { fault: 'none', on: [] }

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// Store the settings in the cache storage, because the browser stops an idle worker.
self.addEventListener('message', (event) => {
  const { settings } = event.data
  restart.endsAtMs = 0
  const stored = new Response(JSON.stringify(settings))
  const keep = caches.open(store).then((cache) => cache.put(settingsUrl, stored))
  event.waitUntil(keep.then(() => event.ports[0]?.postMessage('kept')))
})

self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request)
  if (kind === null) return
  event.respondWith(kind === 'script' ? answerScript(event.request) : answer(event.request, kind))
})

function kindOf(request) {
  const { pathname, origin } = new URL(request.url)
  if (origin !== self.location.origin) return null
  if (request.mode === 'navigate') return isTarget(pathname) ? 'document' : null
  if (request.method === 'POST') return isTarget(pathname) ? 'action' : null
  if (pathname.startsWith('/_waymark/data/')) {
    if (!isTarget(pathname.slice('/_waymark/data'.length))) return null
    return request.headers.has('waymark-prefetch') ? 'prefetch' : 'data'
  }
  if (request.destination === 'script') return 'script'
  return request.destination === 'style' ? 'style' : null
}

function isTarget(pathname) {
  return pathname.startsWith('/lab/faults/target')
}

/** Recognises the script of a component or an import by a string that the script contains. */
async function answerScript(request) {
  const { on } = await settings()
  const marks = ['component', 'import'].filter((kind) => on.includes(kind))
  if (marks.length === 0) return answer(request, 'script')
  const text = await fetch(request.url).then((response) => response.text())
  const marked = marks.find((kind) => text.includes(`lab code: ${kind}`))
  return answer(request, marked ?? 'script')
}

async function answer(request, kind) {
  const { fault, on } = await settings()
  const does = on.includes(kind) ? faults[fault] : undefined
  await tell({ kind, path: new URL(request.url).pathname, fault: does ? fault : 'none' })
  return does ? does(request) : fetch(request)
}

async function settings() {
  const stored = await caches.open(store).then((cache) => cache.match(settingsUrl))
  return stored ? stored.json() : off
}

async function tell(seen) {
  for (const client of await self.clients.matchAll()) client.postMessage(seen)
}

const faults = {
  hang: () => new Promise(() => {}),
  slow: async (request) => {
    await sleep(10_000)
    return fetch(request)
  },
  reset: () => Response.error(),
  stall: (request) => changed(request, (bytes, out) => out.enqueue(half(bytes)), { isOpen: true }),
  cut: (request) => changed(request, (bytes, out) => out.enqueue(half(bytes))),
  break: (request) =>
    changed(request, (bytes, out) => {
      out.enqueue(half(bytes))
      out.error(new Error('The line broke.'))
    }),
  flip: (request) =>
    changed(request, (bytes, out) => {
      const middle = bytes.length >> 1
      out.enqueue(bytes.map((byte, at) => (at === middle ? byte ^ 1 : byte)))
    }),
  empty: (request) => changed(request, () => {}),
  garbage: () => page('no rows at all', 200, 'text/x-component'),
  portal: () => page('<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>', 200),
  status404: () => page('<h1>404</h1>', 404),
  status429: () => page('<h1>429</h1>', 429),
  status500: () => page('<h1>500</h1>', 500),
  status502: () => page('<h1>502 Bad Gateway</h1>', 502),
  status503: () => page('<h1>503</h1>', 503),
  restart: (request) => (isDown() ? Response.error() : fetch(request)),
  notNow: () => new Response(null, { status: 503, headers: { 'retry-after': '5' } }),
}

async function changed(request, write, { isOpen = false } = {}) {
  const response = await fetch(request)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = new ReadableStream({
    start(out) {
      try {
        write(bytes, out)
        if (!isOpen) out.close()
      } catch {
        // Ignore the exception, because an earlier error has already closed the stream.
      }
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}

/** Simulates a restarting server, which is down on the first request, then up for a while. */
const restart = { endsAtMs: 0, downMs: 2000, upMs: 10_000 }

function isDown() {
  const now = Date.now()
  if (now > restart.endsAtMs + restart.upMs) restart.endsAtMs = now + restart.downMs
  return now < restart.endsAtMs
}

function half(bytes) {
  return bytes.subarray(0, bytes.length >> 1)
}

function page(body, status, type = 'text/html') {
  return new Response(body, { status, headers: { 'content-type': type } })
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
