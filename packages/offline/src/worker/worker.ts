import type { ToWorker } from '../shared/messages.ts'
import { createKeptPages } from './keptPages.ts'
import { respond } from './respond.ts'
import { type FetchEvent, scope } from './scope.ts'

const { settings } = scope
const pages = createKeptPages(settings.build, caches)
const prefix = `${settings.basePath}/_waymark/`

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const message = event.data as ToWorker
  if (message.type !== 'keep') return
  event.waitUntil(pages.keep(message.page, message.files).catch(() => {}))
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(respondWithDocument(event))
  else if (pathname.startsWith(`${prefix}data`)) event.respondWith(respondWithData(event))
  else if (pathname.startsWith(prefix)) event.respondWith(respondWithFile(request))
})

async function activate(): Promise<void> {
  await scope.registration.navigationPreload?.enable()
  await scope.clients.claim()
}

async function respondWithDocument({ request, preloadResponse }: FetchEvent): Promise<Response> {
  const network = Promise.resolve(preloadResponse).then((response) => response ?? fetch(request))
  return (await respond(pathOf(request), network, pages, settings)).response
}

async function respondWithData({ request, clientId }: FetchEvent): Promise<Response> {
  const url = pathOf(request)
  const { response, savedAtMs } = await respond(url, fetch(request), pages, settings)
  const client = await scope.clients.get(clientId)
  client?.postMessage({ type: 'served', url, savedAtMs })
  return response
}

async function respondWithFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
