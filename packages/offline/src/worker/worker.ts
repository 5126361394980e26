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

// What fails of all this leaves the app as if there were no worker.
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
  // An app may send messages of its own to whatever worker it has.
  const message = event.data as ToWorker | null
  if (message?.type === 'keep') event.waitUntil(quietly(keepPage(message)))
  if (message?.type === 'owner') event.waitUntil(quietly(keeper.setOwner(message.seal)))
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  // The scope `/docs` has `/docsx` in it.
  const isOfApp = `${pathname}/`.startsWith(`${settings.basePath}/`)
  // A form that the browser itself posts may sign somebody in or out, and no page sees that.
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
  // Only what is loaded while the worker is installed can be loaded later.
  if (scope.registration.sync) await quietly(loadSync())
  await quietly(keepScreen())
  await quietly(keeper.fill())
}

/** Stores the built-in screen if it is missing, since its request may have failed during the installation. */
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
    // Firefox has an error in place of a failure, which has no URL.
    return response?.url ? response : fetch(request)
  }
  const find = () => pages.find(url)
  const responding = respond(noting(url, network()), find, settings.limitMs)
  const served = await responding.catch(respondWithScreen)
  if (served instanceof Response) return served
  const { response, savedAtMs } = served
  return savedAtMs === null ? response : marked(response, `${savedTiming};desc=${savedAtMs}`)
}

/** The screen in place of a page that is not kept: that of the app, if it is there. */
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
  // Who asks for a page that has to be current would take a kept one for it.
  const mayUseCache = !wantsFresh(request)
  const find = async () => (mayUseCache ? pages.find(url, await clientState()) : undefined)
  const network = noting(url, fetch(request))
  const served = await respond(network, find, settings.limitMs).catch(async (error) => {
    // The screen is a document: not for a page that is only refreshed, nor where text would be lost.
    const state = navigator.onLine ? null : await clientState()
    if (!state || state.isTyped || state.data === url) throw error
    return null
  })
  if (!served) return loadDocumentResponse(503)
  const { response, savedAtMs } = served
  ;(await client)?.postMessage({ type: 'served', url, savedAtMs })
  return response
}

/** Remembers what the server says of a page. */
async function noting(url: string, network: Promise<Response>): Promise<Response> {
  const response = await network
  if (response.status === 200) keeper.note(url, !isPublic(response))
  return response
}

/** Its name has a hash of its content. */
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
