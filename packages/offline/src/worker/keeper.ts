import type { KeepRequest, PageUrls, WorkerSettings } from '../shared/messages.ts'
import { ask } from './clients.ts'
import { createFileKeeper } from './keepFiles.ts'
import { keepPage } from './keepPage.ts'
import type { PageStore } from './pageStore.ts'
import { scope } from './scope.ts'

/** Caches pages one after another: pages that are shown, and pages to be cached in advance. */
export function createKeeper(settings: WorkerSettings, pages: PageStore, storage: CacheStorage) {
  const files = createFileKeeper(settings, pages)
  // URLs of private pages, remembered until the worker stops, which is seconds after its last event.
  const privateUrls = new Set<string>()
  let seal: string | null = null
  let isFilled = false
  let queue: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const running = queue.then(run)
    queue = running.catch(() => {})
    return running
  }
  const keep = async (request: KeepRequest) => {
    const context = { settings, pages, files, storage, seal: () => seal }
    return keepPage(request, context).catch(async (error) => {
      if ((error as Error).name !== 'QuotaExceededError') throw error
      await pages.trim(0.5)
      return keepPage(request, context)
    })
  }

  return {
    /** Remembers if the current page is private, to avoid fetching it needlessly. */
    note: (url: string, isPrivate: boolean) => privateUrls[isPrivate ? 'add' : 'delete'](url),
    /** Sets the current user, and deletes the private pages of others. */
    setOwner(newSeal: string): Promise<void> {
      seal = newSeal
      return pages.forgetPrivate(newSeal)
    },
    /** Deletes all private pages, because the user is unknown until a page names one. */
    forgetOwner(): Promise<void> {
      seal = null
      return pages.forgetPrivate(null)
    },
    keep(request: KeepRequest): Promise<void> {
      // Set the seal before the request is queued, because another user may be signed in when its turn
      // comes.
      seal = request.seal
      return inTurn(async () => {
        const { document, data } = request.page
        const isPrivate = privateUrls.has(document) || privateUrls.has(data)
        if (isPrivate && !request.mayBePrivate) await pages.remove(document)
        else if (!(await isFresh(document, settings, pages))) await keep(request)
        await pages.trim()
      })
    },
    /**
     * Caches the pages that are due in advance and the pages of the previous build. After a failure, the
     * next call continues.
     */
    fill: () =>
      inTurn(async () => {
        // Don't fetch in advance if the user has asked browsers to save data.
        if (isFilled || scope.navigator.connection?.saveData) return
        for (const page of await missingPages(settings, pages)) {
          const request = { page, files: [], seal: '' }
          if (!(await keep(request))) return
        }
        isFilled = true
      }),
    /**
     * Deletes the caches of former builds. Deletes the latest former build's cache only once no tab uses
     * it.
     */
    dropFormer: () => inTurn(() => dropFormer(pages, isFilled)),
  }
}

async function dropFormer(pages: PageStore, isFilled: boolean): Promise<void> {
  // A newer worker may be filling its cache, which looks like a former build's cache to this worker.
  const { installing, waiting } = scope.registration
  if (installing || waiting || scope.serviceWorker?.state === 'redundant') return
  const [last, ...others] = await pages.formerBuilds()
  await pages.dropBuilds(others)
  if (!last || !isFilled) return
  for (const client of await scope.clients.matchAll()) {
    const state = await ask(client)
    if (!state?.build || state.build === last) return
  }
  await pages.dropBuilds([last])
}

async function isFresh(url: string, { build, freshMs }: WorkerSettings, pages: PageStore) {
  return (await pages.list()).some(
    (page) => page.build === build && page.url === url && page.savedAtMs + freshMs > Date.now(),
  )
}

/**
 * Returns the pages that this build has yet to cache: pages in advance, and public pages of the last
 * build.
 */
async function missingPages({ build, precache }: WorkerSettings, pages: PageStore) {
  const [former] = await pages.formerBuilds()
  const all = await pages.list()
  const before = all.filter((page) => page.build === former && !page.isPrivate)
  const wanted = [
    ...precache,
    ...before.map(({ url, data }): PageUrls => ({ document: url, data })),
  ]
  return wanted.filter(
    ({ document }) => !all.some((page) => page.build === build && page.url === document),
  )
}
