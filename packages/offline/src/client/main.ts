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

/** Where it is stored which page was loaded again by itself, and when. */
const reloadKey = nameOfApp('waymark-offline-reload', basePath)
const reloadPauseMs = 60_000

type Router = PackageRouter

const { serviceWorker } = navigator
const workerUrl = new URL(basePath + workerPath, location.href).href
const isTyped = watchTyping(document)
const ageLine = createAgeLine(document)
/** When the data that came last for a URL was kept; `null` for that of the network. */
const savedAt = new Map<string, number | null>()
let registration: ServiceWorkerRegistration | null = null
let router: Router | null = null
let seal = ''
/** The seal of the user for whom the user cookie was written. */
let sealedInCookie: string | null = null
/** The value that this document wrote into the user cookie before any page had named a user. */
let unnamedCookie: string | null = null
/** True if the app's own offline page is on the screen in place of the requested page. */
let isScreen = documentTiming(screenTiming) !== undefined

const refresher = createRefresher(workerUrl, async () => {
  // Over the network only: a line that goes with another kept page says nothing.
  if (router && !isScreen) await router.renew()
  else if (!isTyped() && mayReload()) location.reload()
})

export async function start(): Promise<void> {
  // Pages over plain HTTP have none.
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
  // Not `ready`: an app may have another worker for some of its pages.
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

/** Looks who is here; what was kept for another one goes at once, whether there is a worker or not. */
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
  // The server knows the user of a page that names none. What was kept before that is gone.
  if (unnamedCookie === null || unnamedCookie === readUserCookie()) return
  unnamedCookie = null
  await keepCurrentPage()
}

/** Writes the user cookie for the user of a new page. From then on, responses of the server update it. */
async function nameUserInCookie(): Promise<void> {
  // A page that was kept says who was here then.
  if (pageArrival.get().from === 'saved') return
  const current = readUserCookie()
  if (current === null && !mayBePrivate(document, router?.build === devBuild)) return
  const user = latestUser()
  const isWritten = user === null ? current !== null : user.sealed === sealedInCookie
  if (isWritten) return
  sealedInCookie = user?.sealed ?? null
  const value = user === null ? randomUserCookieValue() : await userCookieValue(user.id)
  if (value === current) return
  // Another user may have come and gone: the cookie must not make pages from before valid again.
  await forgetUsers(() => false)
  writeUserCookie(value)
  if (user === null) unnamedCookie = value
}

async function forgetUsers(stays: (seal: string) => boolean): Promise<void> {
  // A browser that blocks storage throws, and has no caches to delete.
  await deletePrivateCaches(caches, basePath, stays).catch(() => {})
}

function tell(message: ToWorker): void {
  registration?.active?.postMessage(message)
}

/** Asks the worker to keep the page on the screen, for who is here. */
async function keepCurrentPage(): Promise<void> {
  await lookForUser()
  if (pageArrival.get().from === 'saved' || isScreen || !mayKeep(navigator)) return
  tell({ type: 'keep', ...createKeepRequest(window, seal, router?.build === devBuild) })
}

/** Documents of a dev server do not name the code of components: it may come after the page was kept. */
function keepAsCodeComes(): void {
  // Browsers remember 250 files, which is less than a page of a dev server may have.
  performance.setResourceTimingBufferSize(10_000)
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new PerformanceObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(keepCurrentPage, 200)
  })
  observer.observe({ type: 'resource', buffered: true })
}

function onMessage({ data, ports, source }: MessageEvent): void {
  // An app may have another worker.
  if (!(source instanceof ServiceWorker) || source.scriptURL !== workerUrl) return
  const message = data as ToPage | null
  if (message?.type === 'served') {
    // More than a tab's latest are not looked up.
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

/** A page that always needs longer than the limit comes kept each time: it is not loaded for ever. */
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

/** A name for who is here that tells nobody who it is. */
async function sealOf(owner: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return [...new Uint8Array(hash, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
