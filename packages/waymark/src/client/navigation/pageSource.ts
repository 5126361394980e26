import type { NavigationKind } from '../../components/navigationStore.ts'
import type { Payload } from '../../shared/payload.ts'
import type { NavigationSettings } from '../../shared/settings.ts'
import { createDeadline } from './deadline.ts'
import { decodePrefetched, fetchPage, type LoadedPage, type PrefetchedData } from './fetchPage.ts'
import type { NavigationRequest } from './navigation.ts'
import { checkBuild } from './navigationErrors.ts'
import { layoutKeys, type Page } from './page.ts'
import type { Attempt } from './task.ts'
import { BrokenPayload } from './verifiedStream.ts'

/** A page to be shown. */
export type SourcedPage = {
  readonly payload: Payload
  readonly url: URL
  /** The page as it was left, for going back to it. */
  readonly restored: Page | null
}

/** What can be shown of a page while it is on its way. */
export type Shell = {
  readonly payload: Payload
  /** Code and styles that it needs. */
  readonly assets: Promise<void>
}

/** An attempt that can show a shell before the page. */
type Load = Attempt & { readonly onShell: (shell: Shell) => void }

/** Where pages come from: previous ones, prefetched ones, the server. */
export type PageSource = {
  load(request: NavigationRequest, shown: Page, load: Load): Promise<SourcedPage>
  /** Remembers the page that was left; of a mere shell there is nothing to come back to. */
  keep(shown: Page, left: Page, kind: NavigationKind): void
  /** Drops a previous page. */
  forget(page: Page): void
  /** Something was changed that pages may show: previous ones are fetched again when shown. */
  invalidate(): void
  isInvalidated(page: Page): boolean
  /** Pages that were left, the latest first. */
  previous(): readonly Page[]
}

export type PageSourceOptions = {
  readonly settings: NavigationSettings
  readonly now: () => number
  /** Of the document; `null` when it is not known. */
  readonly build: string | null
  readonly prefetch: { consume(url: URL): PrefetchedData | null }
  /** Resolves once code and styles that a page needs are loaded. */
  readonly assetsOf: (payload: Payload, signal: AbortSignal) => Promise<void>
  /** The rest of a page that is shown was cut: it has to be fetched again. */
  readonly onBroken: () => void
}

/** Creates the source of a document's pages. */
export function createPageSource(options: PageSourceOptions): PageSource {
  const { settings, now } = options
  let previous: readonly Page[] = []
  let invalidated: ReadonlySet<Page> = new Set()

  function restorable({ kind, key }: NavigationRequest): Page | null {
    if (kind !== 'traverse') return null
    const page = previous.find((each) => each.key === key)
    return page && now() - page.fetchedAtMs < settings.keepMs ? page : null
  }

  return {
    previous: () => previous,
    invalidate() {
      invalidated = new Set(previous)
    },
    isInvalidated: (page) => invalidated.has(page),
    forget(page) {
      previous = previous.filter((each) => each !== page)
    },
    keep(shown, left, kind) {
      const others = previous.filter(({ key }) => key !== shown.key && key !== left.key)
      const isKept = kind !== 'refresh' && kind !== 'replace' && !left.isShell
      previous = (isKept ? [left, ...others] : others).slice(0, settings.keepPages)
    },
    async load(request, shown, load) {
      const restored = restorable(request)
      if (restored) return { payload: restored, url: request.url, restored }
      const { payload, url } = await loadPage(request, shown, load, options)
      const { hash } = request.url
      return { payload, url: url.hash || !hash ? url : new URL(hash, url), restored: null }
    },
  }
}

/** Loads a page with all that it needs, and watches what still arrives of it. */
async function loadPage(
  request: NavigationRequest,
  shown: Page,
  { onShell, ...attempt }: Load,
  options: PageSourceOptions,
): Promise<LoadedPage> {
  const { settings, build, assetsOf, onBroken } = options
  const known = request.answer?.take() ?? (await prefetched(request, options))
  const broken = new AbortController()
  const signal = AbortSignal.any([attempt.signal, broken.signal])
  const isShell = known?.payload.isShell
  const loading =
    known && !isShell ? known : fetchTwice(request, shown, { ...attempt, signal }, build)
  if (known && isShell) {
    const { payload } = known
    onShell({ payload, assets: assetsOf(payload, attempt.signal) })
  }
  const loaded = await loading
  // That of an action, too: its result counts, and its page is of another build.
  checkBuild(loaded.build, build)
  await assetsOf(loaded.payload, attempt.signal)
  watchStreamEnd(loaded, settings, () => {
    if (signal.aborted) return
    // A silent response still holds a connection, and in Firefox requests for the same URL.
    broken.abort()
    onBroken()
  })
  return loaded
}

/** What was prefetched, unless another build has rendered it: that is fetched again. */
async function prefetched(
  { kind, url }: NavigationRequest,
  { prefetch, build }: PageSourceOptions,
): Promise<LoadedPage | null> {
  const page = kind === 'refresh' ? null : prefetch.consume(url)
  if (!page || (build !== null && page.build !== null && page.build !== build)) return null
  return decodePrefetched(page, url)
}

/** Longer than any page streams: only silence counts, once a page is shown. */
const noCapMs = 2 ** 31 - 1

/** Watches what still arrives of a page: it may be cut, or fall silent for ever. */
export function watchStreamEnd(
  { whole, onBytes }: Pick<LoadedPage, 'whole' | 'onBytes'>,
  { timeoutMs }: Pick<NavigationSettings, 'timeoutMs'>,
  onBroken: () => void,
): void {
  const silence = createDeadline({ timeoutMs, hardCapMs: noCapMs, onTimeout: onBroken })
  onBytes(silence.progress)
  whole.then(silence.stop, () => {
    silence.stop()
    onBroken()
  })
}

/** Fetches a page; what arrived broken once more, since the same response may come whole then. */
async function fetchTwice(
  request: NavigationRequest,
  shown: Page,
  attempt: Attempt,
  build: string | null,
): Promise<LoadedPage> {
  const isRefresh = request.kind === 'refresh'
  async function fetchOnce(): Promise<LoadedPage> {
    const loaded = await fetchPage({
      ...attempt,
      build,
      url: request.url,
      mounted: isRefresh ? [] : layoutKeys(shown.tree),
      from: isRefresh ? request.url.pathname : shown.from,
      wantsFinalStatus: request.wantsFinalStatus ?? false,
    })
    // A payload that has arrived is known to be whole before it is shown; for a streaming one
    // there is no waiting.
    await Promise.race([loaded.whole, new Promise((resolve) => setTimeout(resolve, 30))])
    return loaded
  }
  try {
    return await fetchOnce()
  } catch (error) {
    // React's decoder throws what JSON.parse throws for a row that was changed on its way.
    const isBroken = error instanceof BrokenPayload || error instanceof SyntaxError
    if (attempt.signal.aborted || !isBroken) throw error
    return fetchOnce()
  }
}
