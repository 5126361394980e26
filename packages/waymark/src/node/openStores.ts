import { withStoreDeadlines } from '../cache/storeDeadlines.ts'
import { withJournalDeadlines } from '../journal/journalDeadlines.ts'
import { frameworkError } from '../shared/errors.ts'
import type { ServerStores } from './openDrivers.ts'
import type { DriverOptions, RuntimePackages } from './runtimePackages.ts'
import { loadStorePackage, unsetStoreVariables } from './storePackages.ts'

/** Options of `openStores`. */
export type OpenStoresOptions = DriverOptions & {
  /** The exports of the built server. */
  readonly server: ServerStores
  /**
   * Exports of the module at `AppBuild.stores`. Default: none, for apps without a package that
   * provides a store.
   */
  readonly stores?: RuntimePackages['stores'] | undefined
  /** True if the host has stores of its own, so that no variable has to be set. Default: false. */
  readonly hasHostStores?: boolean
}

/** A server's open stores, with functions for hosts that freeze processes. */
export type OpenedStores = {
  /**
   * Writes the journal entries that are still in memory. Call it before the host freezes or ends the
   * process. Never rejects, and stops waiting after 5 s.
   */
  flush(): Promise<void>
  /**
   * Resolves once the server knows everything that other processes have invalidated so far, or
   * after 3 s if the store can't be reached. Never rejects. Call it before the next request if the
   * host has frozen the process. Does nothing without a shared store.
   */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the cache and the journal of an app and attaches them to its server, as `waymark start`
 * does. Drivers from `server.ts` take precedence over a package that an environment variable
 * selects. Without either, the cache and the journal stay in memory, while `waymark start` would
 * write files.
 * @throws `STORE_UNSET` if the app lists a store and no variable selects it, `PACKAGE_NOT_LISTED`,
 *   and errors from the store's package
 */
export async function openStores({
  server,
  stores = {},
  hasHostStores = false,
  env,
  log,
}: OpenStoresOptions): Promise<OpenedStores> {
  const hasDrivers = hasHostStores || server.openCache !== null
  const unset = hasDrivers ? [] : unsetStoreVariables(env, { stores, isBuilt: true })
  if (unset.length > 0) throw frameworkError('STORE_UNSET', { names: unset })
  const chosen = await loadStorePackage(env, { stores, isBuilt: true })
  const options = { env, log }
  const journal = await (server.openJournal?.() ?? chosen?.openJournal(options) ?? null)
  const cache = await (server.openCache?.() ?? chosen?.openCache(options) ?? null)
  if (journal) server.attachJournal(journal)
  if (cache) server.attachCache(cache)
  const boundedJournal = journal && withJournalDeadlines(journal, log)
  const boundedCache = cache && withStoreDeadlines(cache, log)
  return {
    flush: async () => boundedJournal?.flush(),
    catchUp: async () => boundedCache?.catchUp?.(),
    async close() {
      await Promise.all([server.closeJournal(), server.closeCache()])
    },
  }
}
