import { loadDocumentResponse, wantsFresh } from 'waymark/plugin/client'
import { savedTiming, screenPath, screenTiming, type ToWorker } from '../shared/messages.ts'
import { ask } from './clients.ts'
import { createKeeper } from './keeper.ts'
import { keepFile } from './keepFiles.ts'
import { createPageStore } from './pageStore.ts'
import { respond } from './respond.ts'
import { type FetchEvent, scope } from './scope.ts'
import { isPublic } from './wholeResponse.ts'

const { settings } = scope
const pages = createPageStore(settings, caches)
const keeper = createKeeper(settings, pages, caches)
const internal = `${settings.basePath}/_waymark/`
const builtInScreen = settings.basePath + screenPath

// Ignore failures: if one of the worker's features fails, the app works as it does without a worker.
const quietly = <T>(work: Promise<T>) => work.catch(() => null)

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(quietly(activate())))
scope.addEventListener('cookiechange', (event) =>
  event.waitUntil(quietly(pages.forgetFormerUser())),
)
scope.addEventListener('sync', (event) =>
  event.waitUntil(loadSync().then(() => scope.sendWaiting())),
)
scope.addEventListener('message', (event) => {
  // An app may also send its own messages to any worker that it has.
  const message = event.data as ToWorker | null
  if (message?.type === 'keep') event.waitUntil(quietly(keepPage(message)))
  if (message?.type === 'owner') event.waitUntil(quietly(keeper.setOwner(message.seal)))
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  // Check the path, because the scope `/docs` also matches `/docsx`.
  const isOfApp = `${pathname}/`.startsWith(`${settings.basePath}/`)
  // Check the user after native form submissions, which may sign somebody in or out without any page
  // noticing.
  if (request.method === 'POST' && request.mode === 'navigate' && isOfApp && navigator.onLine) {
    event.waitUntil(quietly(keeper.forgetOwner()))
  }
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && isOfApp) event.respondWith(respondWithDocument(event))
  else if (pathname.startsWith(`${internal}data`)) event.respondWith(respondWithData(event))
  else if (pathname.startsWith(`${internal}assets/`)) event.respondWith(respondWithAsset(request))
  else if (/font|image|manifest|script|style/.test(request.destination)) {
    event.respondWith(respondWithFile(request))
  }
})

async function install(): Promise<void> {
  await scope.skipWaiting()
  // Import this script during installation, because a worker can't import new scripts later.
  if (scope.registration.sync) await quietly(loadSync())
  await quietly(keepScreen())
  await quietly(keeper.fill())
}

/**
 * Stores the built-in screen if it is missing, since its request may have failed during the
 * installation.
 */
async function keepScreen(): Promise<void> {
  await keepFile(builtInScreen, Infinity, await pages.publicCache(), internal)
}

async function loadSync(): Promise<void> {
  scope.importScripts(settings.syncPath)
}

async function activate(): Promise<void> {
  const { cookies, navigationPreload } = scope.registration
  await navigationPreload?.enable()
  await scope.clients.claim()
  await cookies?.subscribe([{ name: settings.userCookie }])
}

async function keepPage(message: Extract<ToWorker, { type: 'keep' }>): Promise<void> {
  await keeper.keep(message)
  await quietly(keepScreen())
  await keeper.fill()
  await keeper.dropFormer()
}

async function respondWithDocument({ request, preloadResponse }: FetchEvent): Promise<Response> {
  const url = pathOf(request)
  const network = async () => {
    const response = await preloadResponse
    // Ignore responses without a URL: after a failed preload, Firefox resolves with such an error
    // response.
    return response?.url ? response : fetch(request)
  }
  const find = () => pages.find(url)
  const responding = respond(noting(url, network()), find, settings.limitMs)
  const served = await responding.catch(respondWithScreen)
  if (served instanceof Response) return served
  const { response, savedAtMs } = served
  return savedAtMs === null ? response : marked(response, `${savedTiming};desc=${savedAtMs}`)
}

/** Responds with a screen because the page isn't cached. The app's screen wins over the built-in one. */
async function respondWithScreen(): Promise<Response> {
  const screen = (await pages.find(settings.screen)) ?? (await pages.find(builtInScreen))
  return screen ? marked(screen, screenTiming, 503) : Response.error()
}

function marked({ body, headers }: Response, timing: string, status = 200): Response {
  const written = new Headers(headers)
  written.set('server-timing', timing)
  return new Response(body, { status, headers: written })
}

async function respondWithData({ request, clientId }: FetchEvent): Promise<Response> {
  const url = pathOf(request)
  const client = scope.clients.get(clientId)
  const clientState = async () => ask(await client)
  // Don't respond from the cache when the router asks for fresh data, because it would mistake the
  // cached response for fresh data.
  const mayUseCache = !wantsFresh(request)
  const find = async () => (mayUseCache ? pages.find(url, await clientState()) : undefined)
  const network = noting(url, fetch(request))
  const served = await respond(network, find, settings.limitMs).catch(async (error) => {
    // Don't send the screen for a mere refresh or if typed text would be lost, because the screen is a
    // new document.
    const state = navigator.onLine ? null : await clientState()
    if (!state || state.isTyped || state.data === url) throw error
    return null
  })
  if (!served) return loadDocumentResponse(503)
  const { response, savedAtMs } = served
  ;(await client)?.postMessage({ type: 'served', url, savedAtMs })
  return response
}

/** Remembers if a page is public or private, according to the server's response. */
async function noting(url: string, network: Promise<Response>): Promise<Response> {
  const response = await network
  if (response.status === 200) keeper.note(url, !isPublic(response))
  return response
}

/** Responds from any build's cache, because an asset's name contains a hash of its content. */
async function respondWithAsset(request: Request): Promise<Response> {
  return (await quietly(caches.match(request.url))) ?? fetch(request)
}

async function respondWithFile(request: Request): Promise<Response> {
  return (await respond(fetch(request), () => pages.find(request.url), settings.limitMs)).response
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
