import { timeoutMs } from 'virtual:waymark/limits'
import {
  idle,
  type NavigationOutcome,
  type NavigationStore,
} from '../components/navigationStore.ts'
import { hasThrown } from './hooks/hasThrown.ts'
import { markPending } from './navigation/links.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import type { BootOptions, HydratedDocument, Loader, RouterCore } from './runtime.ts'

export function createLoader(options: BootOptions): Loader {
  const { documentStream, routerChunk } = options
  let store: NavigationStore | undefined
  let hydrating: Promise<HydratedDocument> | null = null
  let router: RouterCore | null = null
  const load = () => import('./startReact.tsx')

  async function takeOver(): Promise<HydratedDocument> {
    const { startReact } = await load().catch((error: unknown) => {
      hydrating = null
      if (import.meta.env.WAYMARK_HAS_HOOKS) reportThrown(error)
      throw error
    })
    await documentStream.shell
    const hydrated = await startReact(loader)
    store = hydrated.store
    return hydrated
  }
  async function begin(): Promise<RouterCore> {
    const loading = routerChunk.load()
    if (import.meta.env.WAYMARK_HAS_HOOKS) loading.catch(reportThrown)
    const [{ createRouter }, document] = await Promise.all([loading, loader.hydrate()])
    router ??= createRouter(loader, document)
    return router
  }
  const loader: Loader = {
    ...options,
    hydrate() {
      hydrating ??= takeOver()
      hydrating.catch(() => {})
      return hydrating
    },
    preload() {
      load().catch(() => {})
      const loading = routerChunk.load()
      loading.then((code) => code.loadNamedModules(document)).catch(() => {})
    },
    start() {
      const starting = begin()
      starting.catch(() => {})
      return starting
    },
    router: () => router,
    hasBegun: () => hydrating !== null,
    navigate: (request) =>
      router ? router.navigate(request) : queueNavigation(loader, store, request),
  }
  return loader
}

function reportThrown(error: unknown): void {
  if (hasThrown(error)) reportError(error)
}

/**
 * Queues a navigation until the router has loaded. If that takes too long, the browser loads the
 * document instead, unless the user has typed something on this page.
 */
function queueNavigation(
  { start, fields, history }: Loader,
  store: NavigationStore | undefined,
  request: NavigationRequest,
): Promise<NavigationOutcome> {
  const { url, link } = request
  // In development, let the router mark the link later, because React would warn about an attribute
  // that it hasn't rendered.
  const unmark = markPending(import.meta.env.DEV ? null : link)
  // Don't leave while the browser is already loading a different document, for example after Back.
  const mayLeave = () => fields.changed().length === 0 && !history.isLeaving()
  return new Promise((resolve) => {
    let isOver = false
    let isTimedOut = false
    const stop = () => {
      clearTimeout(timer)
      unmark()
      if (!isOver) store?.set(idle)
      isOver = true
    }
    const leave = (outcome: NavigationOutcome) => {
      if (isOver) return
      stop()
      resolve(outcome)
      // Don't open URLs that run a script, because the router would refuse them, too.
      if (/^http/.test(url.protocol)) location.assign(url)
    }
    const timer = setTimeout(() => {
      isTimedOut = true
      if (mayLeave()) leave('timed-out')
    }, timeoutMs)
    const cancel = () => {
      stop()
      resolve(isTimedOut ? 'timed-out' : 'canceled')
    }
    store?.set({ state: 'loading', target: url, cancel, retry() {} })
    const begin = () => {
      if (isOver) return
      start().then(
        (router) => {
          if (isOver) return
          stop()
          resolve(router.navigate(request))
        },
        () => {
          // Don't open the document while offline: the browser's error page might stay even when the
          // network is back.
          if (navigator.onLine && mayLeave()) return leave('document')
          addEventListener('online', begin, { once: true })
          setTimeout(begin, timeoutMs)
        },
      )
    }
    begin()
  })
}
