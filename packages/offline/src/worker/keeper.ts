import type { KeepRequest, PageUrls, WorkerSettings } from '../shared/messages.ts'
import { ask } from './clients.ts'
import { createFileKeeper } from './keepFiles.ts'
import { keepPage } from './keepPage.ts'
import type { PageStore } from './pageStore.ts'
import { scope } from './scope.ts'

/** Keeps pages, one after the other: those that are shown, and those in advance. */
export function createKeeper(settings: WorkerSettings, pages: PageStore, storage: CacheStorage) {
  const files = createFileKeeper(settings, pages)
  // As long as the worker runs: seconds after its last event.
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
    /** Remembers whether a page that is being shown is private: it is not fetched in vain. */
    note: (url: string, isPrivate: boolean) => privateUrls[isPrivate ? 'add' : 'delete'](url),
    /** Private pages of others go. */
    setOwner(newSeal: string): Promise<void> {
      seal = newSeal
      return pages.forgetPrivate(newSeal)
    },
    /** Private pages go, whoever is here: nobody knows until a page tells it. */
    forgetOwner(): Promise<void> {
      seal = null
      return pages.forgetPrivate(null)
    },
    keep(request: KeepRequest): Promise<void> {
      // At once: in its turn, somebody else may be here.
      seal = request.seal
      return inTurn(async () => {
        const { document, data } = request.page
        const isPrivate = privateUrls.has(document) || privateUrls.has(data)
        if (isPrivate && !request.mayBePrivate) await pages.remove(document)
        else if (!(await isFresh(document, settings, pages))) await keep(request)
        await pages.trim()
      })
    },
    /** Keeps what is to be there in advance, and what the build before had; the rest another time. */
    fill: () =>
      inTurn(async () => {
        // Not where the user pays for each byte.
        if (isFilled || scope.navigator.connection?.saveData) return
        for (const page of await missingPages(settings, pages)) {
          const request = { page, files: [], seal: '' }
          if (!(await keep(request))) return
        }
        isFilled = true
      }),
    /** Drops builds of before: all but the last, and that once no tab shows it. */
    dropFormer: () => inTurn(() => dropFormer(pages, isFilled)),
  }
}

async function dropFormer(pages: PageStore, isFilled: boolean): Promise<void> {
  // A newer worker fills its cache, which looks like one of a former build from here.
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

/** Pages that this build is to keep and has not: those in advance, and public ones of the last build. */
async function missingPages({ build, ahead }: WorkerSettings, pages: PageStore) {
  const [former] = await pages.formerBuilds()
  const all = await pages.list()
  const before = all.filter((page) => page.build === former && !page.isPrivate)
  const wanted = [...ahead, ...before.map(({ url, data }): PageUrls => ({ document: url, data }))]
  return wanted.filter(
    ({ document }) => !all.some((page) => page.build === build && page.url === document),
  )
}
