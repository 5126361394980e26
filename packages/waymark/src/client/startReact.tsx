import { StrictMode } from 'react'
import { type HydrationOptions, hydrateRoot } from 'react-dom/client'
import { App, type Screen } from '../components/App.tsx'
import { createNavigationStore, type NavigationEvents } from '../components/navigationStore.ts'
import {
  DigestContext,
  type NavigateOptions,
  type Router,
  type RouterInternals,
} from '../components/routerContext.ts'
import { initialInstances } from '../components/segmentInstances.ts'
import type { Payload } from '../shared/payload.ts'
import { signalOf } from '../shared/signals.ts'
import { hideThemeMarks } from '../theme/hydration.ts'
import { listenForCalls, type ServerCall } from './actions/calls.ts'
import { createClientModules } from './assets/modules.ts'
import { reloadOnce } from './assets/reload.ts'
import { documentPayload } from './document/documentPayload.ts'
import type { ErrorReports } from './errors/errorReports.ts'
import { firstPayload } from './firstPayload.ts'
import { createBlockers } from './navigation/blockers.ts'
import { createEmitter } from './navigation/events.ts'
import type { RouterEvents } from './navigation/navigation.ts'
import type { Page } from './navigation/page.ts'
import { createRootStore, keepAddress, type RootStore } from './react/rootStore.ts'
import type { HydratedDocument, RouterCore } from './routerCore.ts'
import type { BootRuntime } from './runtime.ts'

/**
 * Lets React take over the document: decodes its payload and hydrates it. The router comes later;
 * what needs it until then, loads it.
 * @returns once there is something that a router could take over
 */
export async function start(boot: BootRuntime): Promise<HydratedDocument> {
  const { arrival, router, history, errors, late } = boot
  const modules = createClientModules(
    late,
    () => void router().then((running) => running.reloadForAssets(), reloadOnce),
  )
  const { payload, whole } = await firstPayload(documentPayload(arrival.over), boot)
  // A router that can't be had now: nothing but the network could mend what is missing.
  const tell = (act: (running: RouterCore) => void) => void router().then(act, () => {})
  void whole.then((is) => is || tell((running) => running.mend()))
  const build = payload.build ?? null
  errors.builtBy(build)
  const stage = createRootStore(firstPage(payload, history.shownKey()))
  const events = createEmitter<NavigationEvents>()
  const store = createNavigationStore()
  const blockers = createBlockers(window)
  const calls = listenForCalls((call) => untilCallSettles(router, call))
  const fetchFinalStatus = () => tell((running) => running.fetchFinalStatus())
  const parts = {
    router: createRouterFront(boot, events),
    navigation: store,
    blockers,
    fetchFinalStatus,
    screens: late,
  }
  hydrate(boot, screenOf(boot, stage), parts)
  return { stage, modules, build, events, store, blockers, calls }
}

function hydrate({ errors }: BootRuntime, screen: Screen, parts: RouterInternals): void {
  hydrateRoot(
    document,
    <DigestContext value={(thrown) => errors.report(thrown, { source: 'boundary' })}>
      <StrictMode>
        <App screen={screen} parts={parts} />
      </StrictMode>
    </DigestContext>,
    hydrationErrors(errors),
  )
}

/** The stage as React knows it. */
function screenOf({ running, history }: BootRuntime, stage: RootStore): Screen {
  const unmark = import.meta.env.DEV ? hideThemeMarks(window) : () => {}
  const adoptAddress = keepAddress(stage, history)
  const onReady = () => {
    unmark()
    stage.onReady()
    const router = running()
    if (router) router.settled()
    else adoptAddress()
  }
  const { initial, attach, onShown } = stage
  return { initial, attach, onShown, onReady }
}

function firstPage(payload: Payload, key: string): Page {
  const from = payload.route.pathname
  return { ...payload, key, fetchedAtMs: Date.now(), from, instances: initialInstances(payload) }
}

/**
 * What React tells of errors goes to the journal, with the component stack that only React knows,
 * and to the console as ever. A signal is no error.
 */
export function hydrationErrors({ report }: ErrorReports): HydrationOptions {
  return {
    onCaughtError(error, { componentStack }) {
      if (signalOf(error)) return
      void report(error, { source: 'boundary', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
    onUncaughtError(error, { componentStack }) {
      void report(error, { source: 'uncaught', componentStack })
      // For those who listen to the window.
      reportError(error)
    },
    onRecoverableError(error, { componentStack }) {
      if (signalOf(error)) return
      void report(error, { source: 'recoverable', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
  }
}

function consoleArguments(error: unknown, componentStack: string | undefined): unknown[] {
  return import.meta.env.DEV && componentStack ? [error, componentStack] : [error]
}

const retryMs = 2000

/**
 * Gives the result of a call. Where the code that sends it can't be had, it waits: what was
 * submitted is not lost with the network.
 */
export async function untilCallSettles(
  router: () => Promise<RouterCore>,
  call: ServerCall,
): Promise<unknown> {
  for (;;) {
    const running = await router().catch(() => null)
    if (running) return running.answer(call)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/** Makes the router that components hold: what it is asked for goes to the one that is loaded. */
export function createRouterFront(boot: BootRuntime, { on }: RouterEvents): Router {
  const go = async (kind: 'push' | 'replace', href: string, options?: NavigateOptions) =>
    boot.lead({ url: new URL(href, location.href) }, (router) => router.go(kind, href, options))
  return {
    push: (href, options) => go(options?.replace ? 'replace' : 'push', href, options),
    replace: (href, options) => go('replace', href, options),
    refresh: () =>
      boot.router().then(
        (router) => router.refresh(),
        () => 'failed',
      ),
    back: () => history.back(),
    forward: () => history.forward(),
    prefetch: (href) => boot.ahead.intend(new URL(href, location.href)),
    on,
  }
}
