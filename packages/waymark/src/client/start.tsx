import { navigation } from 'virtual:waymark/navigation'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Payload } from '../shared/payload.ts'
import { hideThemeMarks } from '../theme/hydration.ts'
import { hasTyped } from './actions/typedKey.ts'
import { App, type Screen } from './app.tsx'
import type { BootParts } from './bootParts.ts'
import { createRouter } from './createRouter.ts'
import { type DocumentFlight, documentFlight } from './documentFlight.ts'
import { documentLocale } from './locale.ts'
import { createClientModules } from './modules.ts'
import { createDeadline } from './navigation/deadline.ts'
import { loadPage } from './navigation/loadPage.ts'
import { firstInstances, type Page } from './navigation/page.ts'
import type { RunningRouter } from './running.ts'
import { startErrors } from './startErrors.tsx'

/**
 * Takes over the document: decodes its payload, hydrates it, and makes the router.
 * @returns once the router can navigate
 */
export async function start(boot: BootParts): Promise<RunningRouter> {
  const errors = startErrors(boot.earlyErrors)
  let onModuleFailed = () => {}
  const modules = createClientModules(() => onModuleFailed())
  const flight = documentFlight()
  const whole = arrivesWhole(flight)
  const payload = await firstPayload(flight, whole)
  const build = payload.build ?? null
  const page: Page = {
    ...payload,
    key: boot.history.currentKey(),
    fetchedAtMs: Date.now(),
    from: payload.route.pathname,
    instances: firstInstances(payload),
  }
  const { parts, screen, running } = createRouter({ ...boot, page, modules, build })
  onModuleFailed = running.reloadForAssets
  whole.catch(running.mend)
  const unmark = import.meta.env.DEV ? hideThemeMarks(window) : () => {}
  const onReady = () => {
    unmark()
    screen.onReady()
    running.settled()
  }
  if (hasTyped()) void restoreWhenLoaded(screen.hydrated)
  const ownScreen: Screen = { ...screen, onReady }
  errors.follow(parts.router, payload.build ?? null)
  keepOwnScroll(window)
  hydrateRoot(
    document,
    errors.wrap(
      <StrictMode>
        <App screen={ownScreen} parts={parts} />
      </StrictMode>,
    ),
    errors.hydration,
  )
  return running
}

/** Puts back what was typed in the document before this one. */
async function restoreWhenLoaded(hydrated: Promise<void>): Promise<void> {
  const { restoreTyped } = await import('./actions/lazy.ts')
  restoreTyped(window, documentLocale(), hydrated)
}

/** From now on the router scrolls; a document that is loaded again is the browser's matter. */
function keepOwnScroll(view: Window): void {
  view.history.scrollRestoration = 'manual'
  view.addEventListener('pagehide', () => {
    view.history.scrollRestoration = 'auto'
  })
}

/** The document's own payload, or where it was cut before it began, that of its URL. */
async function firstPayload({ stream }: DocumentFlight, whole: Promise<void>): Promise<Payload> {
  const own = createFromReadableStream<Payload>(stream)
  const cut = whole.then(() => new Promise<never>(() => {}))
  try {
    return await Promise.race([own, cut])
  } catch {
    const { href, pathname } = location
    const { signal } = new AbortController()
    const url = new URL(href)
    const load = { url, held: [], from: pathname, signal, build: null, onProgress() {} }
    return (await loadPage(load)).payload
  }
}

/** @throws when the document's payload was cut, or has fallen silent for too long */
function arrivesWhole({ whole, onPiece }: DocumentFlight): Promise<void> {
  return new Promise((resolve, reject) => {
    const onLate = () => reject(new Error('The document has stopped arriving.'))
    const { timeoutMs } = navigation
    const silence = createDeadline({ timeoutMs, hardCapMs: 2 ** 31 - 1, onLate })
    onPiece(silence.progress)
    whole.then(resolve, reject).finally(silence.stop)
  })
}
