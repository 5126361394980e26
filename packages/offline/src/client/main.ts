import { basePath } from 'waymark'
import type { PackageRouter } from 'waymark/plugin'
import {
  onSessionChange,
  pageDataUrl,
  randomUserCookieValue,
  readSessionMark,
  readUserCookie,
  userCookieValue,
  workerPath,
  writeUserCookie,
} from 'waymark/plugin/client'
import { restoreForms } from '../forms/restoreForms.ts'
import { wake } from '../outbox/queue.ts'
import { pageArrival } from '../shared/arrival.ts'
import { deletePrivateCaches, nameOfApp, sealWithCookie } from '../shared/cacheNames.ts'
import {
  type ClientState,
  devBuild,
  savedTiming,
  screenTiming,
  type ToPage,
  type ToWorker,
} from '../shared/messages.ts'
import { currentOwner, latestUser, lookForOwner, onOwnerChange, ownerKey } from '../shared/owner.ts'
import { createRefresher } from '../shared/refresher.ts'
import { createAgeLine } from './ageLine.ts'
import { createKeepRequest, mayBePrivate, mayKeep } from './keepRequest.ts'
import { onCookieChange } from './onCookieChange.ts'
import { watchTyping } from './typing.ts'

/** Storage key for the URL and time of the last automatic reload. */
const reloadKey = nameOfApp('waymark-offline-reload', basePath)
const reloadPauseMs = 60_000

type Router = PackageRouter

const { serviceWorker } = navigator
const workerUrl = new URL(basePath + workerPath, location.href).href
const isTyped = watchTyping(document)
const ageLine = createAgeLine(document)
/** Time at which the latest data for a URL was cached; `null` for data from the network. */
const savedAt = new Map<string, number | null>()
let registration: ServiceWorkerRegistration | null = null
let router: Router | null = null
let seal = ''
/** Seal of the user in the user cookie. */
let sealedInCookie: string | null = null
/** Value that this document wrote into the user cookie before any page had named a user. */
let unnamedCookie: string | null = null
/** True if the app's offline page is shown instead of the requested page. */
let isScreen = documentTiming(screenTiming) !== undefined

const refresher = createRefresher(workerUrl, async () => {
  // A cached copy would show nothing new, so renew the page from the network only.
  if (router && !isScreen) await router.renew()
  else if (!isTyped() && mayReload()) location.reload()
})

export async function start(): Promise<void> {
  // Pages on plain HTTP can't have service workers.
  if (!serviceWorker) return
  onOwnerChange(lookForUser)
  onCookieChange(lookAtCookie)
  onSessionChange(lookForUser)
  addEventListener('storage', ({ key }) => {
    if (key === ownerKey) lookForUser()
  })
  serviceWorker.addEventListener('message', onMessage)
  serviceWorker.startMessages()
  showArrival(documentSavedAtMs())
  registration = await serviceWorker.register(workerUrl, {
    scope: basePath || '/',
    updateViaCache: 'none',
  })
  // `navigator.serviceWorker.ready` could resolve with a different worker, which the app uses for
  // some pages.
  await untilActive(registration)
  await keepCurrentPage()
}

export function attach(attached: Router): void {
  restoreForms(attached)
  if (!serviceWorker) return
  router = attached
  if (router.build === devBuild) keepAsCodeComes()
  router.events.on('commit', async ({ url }) => {
    isScreen = false
    showArrival(savedAt.get(pageDataUrl(url)) ?? null)
    await keepCurrentPage()
  })
}

function untilActive({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  return new Promise((resolve) => {
    const coming = waiting ?? installing
    const look = () => (active || coming?.state === 'activated') && resolve()
    coming?.addEventListener('statechange', look)
    look()
  })
}

/**
 * Checks who is signed in. Pages cached for other users are deleted at once, even without an active
 * worker.
 */
export async function lookForUser(): Promise<void> {
  lookForOwner()
  if (!serviceWorker) return
  await nameUserInCookie()
  const hash = await sealOf(`${currentOwner()} ${readSessionMark()}`)
  const cookieSeal = sealWithCookie(hash, readUserCookie())
  if (cookieSeal === seal) return
  seal = cookieSeal
  await forgetUsers((each) => each === cookieSeal)
  tell({ type: 'owner', seal })
}

async function lookAtCookie(): Promise<void> {
  await lookForUser()
  // The page names no user, but the server has just changed the user cookie, which deleted all
  // cached pages. So cache the page again.
  if (unnamedCookie === null || unnamedCookie === readUserCookie()) return
  unnamedCookie = null
  await keepCurrentPage()
}

/**
 * Writes the user cookie for the user of a new page. The server's responses then keep it up to
 * date.
 */
async function nameUserInCookie(): Promise<void> {
  // A different user may have signed in since a cached page was cached, so ignore the user that it
  // names.
  if (pageArrival.get().from === 'saved') return
  const current = readUserCookie()
  if (current === null && !mayBePrivate(document, router?.build === devBuild)) return
  const user = latestUser()
  const isWritten = user === null ? current !== null : user.sealed === sealedInCookie
  if (isWritten) return
  sealedInCookie = user?.sealed ?? null
  const value = user === null ? randomUserCookieValue() : await userCookieValue(user.id)
  if (value === current) return
  // Delete all private pages. A different user may have signed in and out since the cookie last had
  // this value, and the value must not give access to that user's pages.
  await forgetUsers(() => false)
  writeUserCookie(value)
  if (user === null) unnamedCookie = value
}

async function forgetUsers(stays: (seal: string) => boolean): Promise<void> {
  // A browser that blocks storage has no caches to delete.
  await deletePrivateCaches(caches, basePath, stays).catch(() => {})
}

function tell(message: ToWorker): void {
  registration?.active?.postMessage(message)
}

/** Asks the worker to cache the page on the screen for the current user. */
async function keepCurrentPage(): Promise<void> {
  await lookForUser()
  if (pageArrival.get().from === 'saved' || isScreen || !mayKeep(navigator)) return
  tell({ type: 'keep', ...createKeepRequest(window, seal, router?.build === devBuild) })
}

/**
 * Caches the page again when code loads, because a dev server's documents don't refer to their
 * components' code.
 */
function keepAsCodeComes(): void {
  // By default, browsers only record 250 files per page. A dev server's page may load more.
  performance.setResourceTimingBufferSize(10_000)
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new PerformanceObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(keepCurrentPage, 200)
  })
  observer.observe({ type: 'resource', buffered: true })
}

function onMessage({ data, ports, source }: MessageEvent): void {
  // The app may have other workers, so ignore their messages.
  if (!(source instanceof ServiceWorker) || source.scriptURL !== workerUrl) return
  const message = data as ToPage | null
  if (message?.type === 'served') {
    // Only a tab's latest entries are ever read, so limit the map.
    if (savedAt.size > 200) savedAt.clear()
    savedAt.set(message.url, message.savedAtMs)
  }
  if (message?.type === 'send') wake()
  if (message?.type !== 'ask') return
  const state: ClientState = {
    build: router?.build ?? null,
    seal,
    isTyped: isTyped(),
    data: pageDataUrl(location),
  }
  ports[0]?.postMessage(state)
}

function showArrival(savedAtMs: number | null): void {
  pageArrival.set(savedAtMs)
  if (savedAtMs === null) ageLine.hide()
  else ageLine.show(savedAtMs)
  if (savedAtMs !== null || isScreen) refresher.start()
  else refresher.stop()
}

/**
 * Limits reloads. A page that always exceeds the time limit would otherwise be served from the
 * cache forever.
 */
function mayReload(): boolean {
  const [url, atMs] = JSON.parse(sessionStorage.getItem(reloadKey) ?? '[]')
  const nowMs = Date.now()
  if (url === location.href && nowMs - atMs < reloadPauseMs) return false
  sessionStorage.setItem(reloadKey, JSON.stringify([location.href, nowMs]))
  return true
}

function documentTiming(name: string): PerformanceServerTiming | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.serverTiming?.find((timing) => timing.name === name)
}

function documentSavedAtMs(): number | null {
  const timing = documentTiming(savedTiming)
  return timing ? Number(timing.description) : null
}

/** Returns an id for a user that doesn't reveal who the user is. */
async function sealOf(owner: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return [...new Uint8Array(hash, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
