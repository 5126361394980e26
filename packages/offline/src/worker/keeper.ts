import { readKept } from '../shared/keptEntry.ts'
import type { KeepRequest, PageUrls, WorkerSettings } from '../shared/messages.ts'
import { askAll } from './clients.ts'
import { createFileKeeper } from './keepFiles.ts'
import { keepPage } from './keepPage.ts'
import type { KeptPages } from './keptPages.ts'

/** A page that was kept so shortly ago is not fetched again. */
const freshMs = 60_000

/** How many pages are remembered as private, so that they are not fetched in vain. */
const maxRemembered = 500

/** Keeps pages, one after the other: those that are shown, and those in advance. */
export function createKeeper(settings: WorkerSettings, pages: KeptPages, storage: CacheStorage) {
  const files = createFileKeeper(settings, pages)
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

  /** Keeps what is to be there in advance, and what the build before had; the rest another time. */
  async function fill(): Promise<void> {
    if (isFilled) return
    const [former] = await pages.formerBuilds()
    const all = await pages.list()
    const own = new Set(all.filter(({ build }) => build === settings.build).map(({ url }) => url))
    const before = all.filter(({ build, isPrivate }) => build === former && !isPrivate)
    const seen = before.map(({ url, data }): PageUrls => ({ document: url, data }))
    for (const page of [...settings.ahead, ...seen]) {
      if (own.has(page.document)) continue
      own.add(page.document)
      const request = { page, files: [], seal: '', mayBePrivate: false }
      if ((await keep(request)) === 'failed') return
    }
    isFilled = true
  }

  return {
    /** Remembers whether a page that is being shown is private. */
    note(url: string, isPrivate: boolean): void {
      if (privateUrls.size > maxRemembered) privateUrls.clear()
      if (isPrivate) privateUrls.add(url)
      else privateUrls.delete(url)
    },
    /** Private pages of others go. */
    setOwner(newSeal: string): Promise<void> {
      seal = newSeal
      return pages.forgetPrivate(newSeal)
    },
    keep: (request: KeepRequest) =>
      inTurn(async () => {
        const { document, data } = request.page
        seal = request.seal
        const isPrivate = privateUrls.has(document) || privateUrls.has(data)
        if (isPrivate && !request.mayBePrivate) await pages.remove(document)
        else if (!(await isFresh(document))) await keep(request)
        await pages.trim()
      }),
    fill: () => inTurn(fill),
    /** Drops builds of before: all but the last, and that once no tab shows it. */
    dropFormer: () =>
      inTurn(async () => {
        const [last, ...others] = await pages.formerBuilds()
        for (const build of others) await pages.dropBuild(build)
        if (last === undefined || !isFilled) return
        const states = await askAll()
        const isShown = states.some((state) => !state?.build || state.build === last)
        if (!isShown) await pages.dropBuild(last)
      }),
  }

  async function isFresh(url: string): Promise<boolean> {
    const kept = await (await pages.own()).match(url, { ignoreVary: true })
    return Date.now() - ((kept && readKept(kept)?.savedAtMs) ?? 0) < freshMs
  }
}
