import type { NavigationKind } from '../../components/navigationStore.ts'
import type { Payload } from '../../shared/payload.ts'
import type { NavigationSettings } from '../../shared/settings.ts'
import { createDeadline } from './deadline.ts'
import { fetchPage, type LoadedPage, type PageFetch } from './fetchPage.ts'
import type { NavigationRequest } from './navigation.ts'
import { checkBuild } from './navigationErrors.ts'
import { layoutKeys, type Page } from './page.ts'
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

/** What a navigation hears of its page, and how it gives it up. */
type Watch = {
  readonly signal: AbortSignal
  readonly onProgress: () => void
  readonly onShell: (shell: Shell) => void
}

/** Where pages come from: those kept, those prefetched, the server. */
export type PageSource = {
  load(request: NavigationRequest, shown: Page, watch: Watch): Promise<SourcedPage>
  /** Remembers the page that was left; of a mere shell there is nothing to come back to. */
  keep(shown: Page, left: Page, kind: NavigationKind): void
  /** Can't be shown again. */
  forget(page: Page): void
  /** Something was changed that pages may show: those that were left are not what they were. */
  outdate(): void
  isOutdated(page: Page): boolean
  /** Pages that were left, the latest first. */
  kept(): readonly Page[]
}

/** What a source needs. */
export type PageSourceOptions = {
  readonly settings: NavigationSettings
  readonly now: () => number
  /** Of the document; `null` when it is not known. */
  readonly build: string | null
  /** A page that was prefetched, or its shell. */
  readonly takePrefetched: (url: URL) => Promise<LoadedPage> | null
  /** Code and styles that the page needs are there. */
  readonly assetsOf: (payload: Payload, signal: AbortSignal) => Promise<void>
  /** A page that was shown already turned out to be cut: it has to be fetched again. */
  readonly onBroken: () => void
}

/** Makes the source of a document's pages. */
export function createPageSource(options: PageSourceOptions): PageSource {
  const { settings, now } = options
  let left: readonly Page[] = []
  let outdated: ReadonlySet<Page> = new Set()

  function restorable({ kind, key }: NavigationRequest): Page | null {
    if (kind !== 'traverse') return null
    const page = left.find((each) => each.key === key)
    return page && now() - page.fetchedAtMs < settings.keepMs ? page : null
  }

  function ahead({
    kind,
    url,
    answer,
  }: NavigationRequest): LoadedPage | Promise<LoadedPage> | null {
    return answer?.take() ?? (kind === 'refresh' ? null : options.takePrefetched(url))
  }

  return {
    kept: () => left,
    outdate() {
      outdated = new Set(left)
    },
    isOutdated: (page) => outdated.has(page),
    forget(page) {
      left = left.filter((each) => each !== page)
    },
    keep(shown, before, kind) {
      const others = left.filter((page) => page.key !== shown.key && page.key !== before.key)
      const isLeft = kind !== 'refresh' && kind !== 'replace' && !before.isShell
      left = (isLeft ? [before, ...others] : others).slice(0, settings.keepPages)
    },
    async load(request, shown, watch) {
      const restored = restorable(request)
      if (restored) return { payload: restored, url: request.url, restored }
      const loaded = await loadFrom(await ahead(request), { request, shown, watch }, options)
      const { hash } = request.url
      const url = loaded.url.hash || !hash ? loaded.url : new URL(hash, loaded.url)
      return { payload: loaded.payload, url, restored: null }
    },
  }
}

type Asked = {
  readonly request: NavigationRequest
  readonly shown: Page
  readonly watch: Watch
}

/**
 * Loads a page with all that it needs, and follows what still arrives of it.
 * @param given what there was ahead: the page, its shell, or nothing
 */
async function loadFrom(
  given: LoadedPage | null,
  { request, shown, watch }: Asked,
  { settings, build, assetsOf, onBroken }: PageSourceOptions,
): Promise<LoadedPage> {
  const isShell = given?.payload.isShell
  const broken = new AbortController()
  const signal = AbortSignal.any([watch.signal, broken.signal])
  const loading = given && !isShell ? given : fetched(request, shown, { ...watch, signal, build })
  if (given && isShell) {
    const { payload } = given
    watch.onShell({ payload, assets: assetsOf(payload, watch.signal) })
  }
  const loaded = await loading
  // That of an action, too: its result counts, and its page is of another build.
  checkBuild(loaded.build, build)
  await assetsOf(loaded.payload, watch.signal)
  watchStreamEnd(loaded, settings, () => {
    if (signal.aborted) return
    // What is silent still holds a connection, and in Firefox whoever asks for the same.
    broken.abort()
    onBroken()
  })
  return loaded
}

/** Longer than any page streams: only silence counts, once a page is shown. */
const noCapMs = 2 ** 31 - 1

/** Follows what still arrives of a page: it may be cut, or fall silent for ever. */
export function watchStreamEnd(
  { whole, onBytes }: Pick<LoadedPage, 'whole' | 'onBytes'>,
  { timeoutMs }: Pick<NavigationSettings, 'timeoutMs'>,
  onBroken: () => void,
): void {
  const silence = createDeadline({ timeoutMs, hardCapMs: noCapMs, onLate: onBroken })
  onBytes(silence.progress)
  whole.then(silence.stop, () => {
    silence.stop()
    onBroken()
  })
}

// What arrived broken is asked for once more: the same answer may come whole the next time.
async function fetched(
  request: NavigationRequest,
  shown: Page,
  watch: Pick<PageFetch, 'signal' | 'onProgress' | 'build'>,
): Promise<LoadedPage> {
  const load = () =>
    fetchPage({
      ...watch,
      url: request.url,
      held: request.kind === 'refresh' ? [] : layoutKeys(shown.tree),
      from: request.kind === 'refresh' ? request.url.pathname : shown.from,
      isPatient: request.isPatient ?? false,
    })
  try {
    return await settled(await load())
  } catch (error) {
    if (watch.signal.aborted || !(error instanceof BrokenPayload || isDecoding(error))) throw error
    return settled(await load())
  }
}

// A payload that is there at once is shown when it is known to be whole; a streaming one isn't
// waited for.
async function settled(loaded: LoadedPage): Promise<LoadedPage> {
  const soon = new Promise<void>((resolve) => setTimeout(resolve, 30))
  await Promise.race([loaded.whole, soon])
  return loaded
}

// React's decoder throws what JSON.parse throws for a row that was changed on its way.
function isDecoding(error: unknown): boolean {
  return error instanceof SyntaxError
}
