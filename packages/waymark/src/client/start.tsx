import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Payload } from '../shared/payload.ts'
import { hideThemeMarks } from '../theme/hydration.ts'
import { App, type Screen } from './app.tsx'
import { createRouter } from './createRouter.ts'
import { documentFlight } from './documentFlight.ts'
import { createClientModules } from './modules.ts'
import { createHistoryEntries } from './navigation/historyEntries.ts'
import type { Page } from './navigation/page.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'
import type { RunningRouter } from './running.ts'
import { startErrors } from './startErrors.tsx'

/**
 * Takes over the document: decodes its payload, hydrates it, and makes the router.
 * @returns once the router can navigate
 */
export async function start(prefetcher: Prefetcher): Promise<RunningRouter> {
  const errors = startErrors()
  let onModuleFailed: (error: unknown) => void = () => {}
  const modules = createClientModules((error) => onModuleFailed(error))
  const flight = documentFlight()
  const payload = await createFromReadableStream<Payload>(flight.stream)
  const history = createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8))
  const page: Page = {
    ...payload,
    key: history.currentKey(),
    fetchedAtMs: Date.now(),
    from: payload.route.pathname,
  }
  const { parts, screen, running } = createRouter({ page, history, modules, prefetcher })
  onModuleFailed = running.reloadForAssets
  flight.whole.catch(() => running.refresh())
  errors.follow(parts.router)
  hydrateRoot(
    document,
    errors.wrap(
      <StrictMode>
        <App screen={import.meta.env.DEV ? quietly(screen) : screen} parts={parts} />
      </StrictMode>,
    ),
    errors.hydration,
  )
  return running
}

/** Keeps the theme from React's development build, which would complain of it, while it hydrates. */
function quietly(screen: Screen): Screen {
  return { ...screen, onReady: hideThemeMarks(window) }
}
