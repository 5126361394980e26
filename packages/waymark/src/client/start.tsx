import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Payload } from '../shared/payload.ts'
import { hideThemeMarks } from '../theme/hydration.ts'
import { listenForCalls } from './actions/calls.ts'
import { untilCallSettles } from './actions/untilAnswered.ts'
import { App, type Screen } from './app.tsx'
import type { BootRuntime } from './bootParts.ts'
import { DigestContext } from './contexts.ts'
import { documentPayload } from './documentFlight.ts'
import { firstPayload } from './firstPayload.ts'
import type { HydratedDocument } from './hydrated.ts'
import { hydrationErrors } from './hydrationErrors.ts'
import { createClientModules } from './modules.ts'
import { createBlockers } from './navigation/blockers.ts'
import { createEmitter, type NavigationEvents } from './navigation/events.ts'
import { initialInstances } from './navigation/instances.ts'
import { createNavigationStore } from './navigation/navigation.ts'
import type { Page } from './navigation/page.ts'
import { reloadOnce } from './reloadOnce.ts'
import type { RouterInternals } from './router.ts'
import { createRouterFront } from './routerFront.ts'
import type { RouterCore } from './running.ts'
import { createRootStore, keepAddress, type RootStore } from './stage.ts'

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
  const settle = () => tell((running) => running.settle())
  const parts = {
    router: createRouterFront(boot, events),
    navigation: store,
    blockers,
    settle,
    late,
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
