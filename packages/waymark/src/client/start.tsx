import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Payload } from '../shared/payload.ts'
import { hideThemeMarks } from '../theme/hydration.ts'
import { followCalls } from './actions/calls.ts'
import { untilAnswered } from './actions/untilAnswered.ts'
import { App, type Screen } from './app.tsx'
import type { BootParts } from './bootParts.ts'
import { DigestContext } from './contexts.ts'
import { documentFlight } from './documentFlight.ts'
import { firstPayload } from './firstPayload.ts'
import type { HydratedDocument } from './hydrated.ts'
import { hydrationErrors } from './hydrationErrors.ts'
import { createClientModules } from './modules.ts'
import { createBlockers } from './navigation/blockers.ts'
import { createEmitter, type NavigationEvents } from './navigation/events.ts'
import { firstInstances } from './navigation/instances.ts'
import { createNavigationStore } from './navigation/navigation.ts'
import type { Page } from './navigation/page.ts'
import { reloadOnce } from './reloadOnce.ts'
import type { RouterParts } from './router.ts'
import { createRouterFront } from './routerFront.ts'
import type { RunningRouter } from './running.ts'
import { createStage, keepAddress, type Stage } from './stage.ts'

/**
 * Lets React take over the document: decodes its payload and hydrates it. The router comes later;
 * what needs it until then, loads it.
 * @returns once there is something that a router could take over
 */
export async function start(boot: BootParts): Promise<HydratedDocument> {
  const { arrival, router, history, errors, late } = boot
  const modules = createClientModules(
    late,
    () => void router().then((running) => running.reloadForAssets(), reloadOnce),
  )
  const { payload, whole } = await firstPayload(documentFlight(arrival.over), boot)
  // A router that can't be had now: nothing but the network could mend what is missing.
  const tell = (act: (running: RunningRouter) => void) => void router().then(act, () => {})
  void whole.then((is) => is || tell((running) => running.mend()))
  const build = payload.build ?? null
  errors.builtBy(build)
  const stage = createStage(firstPage(payload, history.shownKey()))
  const events = createEmitter<NavigationEvents>()
  const store = createNavigationStore()
  const blockers = createBlockers(window)
  const calls = followCalls((call) => untilAnswered(router, call))
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

function hydrate({ errors }: BootParts, screen: Screen, parts: RouterParts): void {
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
function screenOf({ running, history }: BootParts, stage: Stage): Screen {
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
  return { ...payload, key, fetchedAtMs: Date.now(), from, instances: firstInstances(payload) }
}
