import { createEntryStore } from '../outbox/entryStore.ts'
import { ask } from '../worker/clients.ts'
import { scope } from '../worker/scope.ts'
import { fetchUser } from './fetchUser.ts'
import { sendEntry } from './sendEntry.ts'
import { sendFromWorker, withLock } from './sendFromWorker.ts'

// Service worker code that sends waiting entries. The worker loads it during installation, and again
// when the browser asks for the entries to be sent.
const store = createEntryStore(scope.settings.basePath)

scope.sendWaiting = () =>
  withLock(navigator.locks, scope.settings.basePath, () =>
    sendFromWorker({
      store,
      now: Date.now,
      locks: navigator.locks,
      wakePage,
      fetchUser,
      send: sendEntry,
    }),
  )

/** Asks an open page to send. @returns false if no page is open */
async function wakePage(): Promise<boolean> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const states = await Promise.all(pages.map(ask))
  const awake = pages.find((_, at) => states[at])
  awake?.postMessage({ type: 'send' })
  return awake !== undefined
}
