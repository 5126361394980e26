import type { Payload } from '../../wire/payload.ts'
import { trace } from '../../wire/trace.ts'
import { createDeadline } from '../retry/retry.ts'
import {
  assertPageOf,
  DocumentNeeded,
  decodePrefetched,
  fetchPage,
  isOtherBuild,
  type LoadedPage,
  OtherBuild,
  type PageFetch,
  type PrefetchedData,
} from './fetchPage.ts'
import type { Background } from './historyEntries.ts'
import {
  type Break,
  isOutdated,
  type NavigationContext,
  type NavigationRequest,
} from './navigation.ts'
import { layoutKeys, type Page, rearOf } from './page.ts'

export type SourcedPage = Pick<LoadedPage, 'payload' | 'url' | 'whole'> & {
  /** Previous page that a traversal leads to, if it is still mounted and up to date. */
  readonly restored: Page | null
  /** Page behind an intercepting page, if it had to be loaded, too. */
  readonly behind?: Payload | null
}

/** The part of a page that can be shown before its data arrives. */
export type Shell = {
  readonly payload: Payload
  readonly assets: Promise<void>
}

type Attempt = Pick<PageFetch, 'signal' | 'onProgress'> & {
  readonly onShell: (shell: Shell) => void
  /** Called when the rest of a streaming page is cut off or stops arriving. */
  readonly onBroken: (how: Break) => void
  readonly isRetry: boolean
}

/**
 * Loads a page: a previous page, the page in an action's response, a prefetched page, or a page
 * from the server. Resolves once the page's code and styles have loaded, while data may still be
 * arriving.
 */
export async function loadPage(
  context: NavigationContext,
  request: NavigationRequest,
  attempt: Attempt,
): Promise<SourcedPage> {
  const { tab, settings, build, loadAssets } = context
  const restored = previousPage(context, request)
  if (restored) {
    return { payload: restored, url: request.url, restored, whole: Promise.resolve() }
  }
  const { page: currentPage } = tab.state
  const isTraversal = request.kind === 'traverse'
  const over = request.over ?? null
  const isRefresh = request.kind === 'refresh'
  // Wait only for code requested from now on, or for all code (0): a refreshed page needs all of
  // its code, and an action's page was decoded earlier.
  const sinceMs = isRefresh || request.fromAction ? 0 : performance.now()
  const actionPage = fromAction(request)
  const prefetched = actionPage || isRefresh ? null : context.prefetch.consume(request.url)
  const joined = prefetched && 'response' in prefetched ? prefetched : null
  const preloaded =
    actionPage ??
    (prefetched && 'bytes' in prefetched ? await decode(prefetched, context, request) : null)
  const isShell = preloaded?.payload.isShell
  const broken = new AbortController()
  const signal = AbortSignal.any([attempt.signal, broken.signal])
  const fetching: PageFetch = {
    signal,
    onProgress: attempt.onProgress,
    build,
    url: request.url,
    // If data has changed, mounted layouts may be outdated, so ask the server for them, too.
    mounted: isRefresh || isOutdated(tab.state, currentPage) ? [] : layoutKeys(currentPage.tree),
    from: isTraversal ? (over?.from ?? request.url.pathname) : currentPage.from,
    isRetry: attempt.isRetry,
    joined,
    screenPlace: request.screenPlace,
    wantsFresh: request.isQuiet,
  }
  const loading = preloaded && !isShell ? preloaded : fetchOnce(fetching)
  if (preloaded && isShell) {
    const { payload } = preloaded
    attempt.onShell({ payload, assets: loadAssets(payload, attempt.signal, sinceMs) })
  }
  const rear = rearOf(currentPage)
  const hasBackground = over === null || (rear.from === over.from && rear.search === over.search)
  const loadingBehind = over && !hasBackground ? loadBehind(context, fetching, over) : null
  const [loaded, behind] = await Promise.all([loading, loadingBehind])
  const { payload, url } = loaded
  // The page in an action's response may come from a different build, too. The action's result is
  // still valid.
  if (isOtherBuild(loaded.build, build)) throw new OtherBuild(loaded.build)
  await loadAssets(payload, attempt.signal, sinceMs)
  watchStreamEnd(loaded, settings, (how) => {
    if (signal.aborted) return
    // Abort a response that sends no more data, because it occupies a connection. In Firefox, it
    // also blocks requests for the same URL.
    broken.abort()
    attempt.onBroken(how)
  })
  const { hash } = request.url
  const whole = behind ? Promise.all([loaded.whole, behind.whole]).then(() => {}) : loaded.whole
  return {
    payload,
    url: url.hash || !hash ? url : new URL(hash, url),
    restored: null,
    whole,
    // Without a route to intercept any more, the new page fills the screen, so drop the page
    // behind.
    behind: payload.isOver ? (behind?.payload ?? null) : null,
  }
}

/** Fetches the page behind an intercepting page if the page behind is no longer on the screen. */
async function loadBehind(
  { loadAssets }: NavigationContext,
  fetching: PageFetch,
  { from, search }: Background,
): Promise<LoadedPage> {
  const url = new URL(from + search, fetching.url)
  const loaded = await fetchPage({ ...fetching, url, from: url.pathname, joined: null })
  if (loaded.url.href !== url.href) throw new DocumentNeeded(`${from} redirects now.`)
  await loadAssets(loaded.payload, fetching.signal)
  return loaded
}

function previousPage(
  { tab, settings, now }: NavigationContext,
  { kind, key }: NavigationRequest,
): Page | null {
  if (kind !== 'traverse') return null
  const page = tab.state.previous.find((each) => each.key === key)
  if (!page || isOutdated(tab.state, page)) return null
  return now() - page.fetchedAtMs < settings.keepMs ? page : null
}

/**
 * Returns the page in an action's response, but only once. If showing that page fails, the page is
 * fetched instead.
 */
function fromAction({ fromAction: response }: NavigationRequest): LoadedPage | null {
  const page = response?.page ?? null
  if (response) response.page = null
  return page
}

/**
 * Decodes a prefetched page. @returns `null` if the page is from a different build or belongs to a
 * different URL
 */
async function decode(
  page: PrefetchedData,
  { build }: NavigationContext,
  { url }: NavigationRequest,
): Promise<LoadedPage | null> {
  if (isOtherBuild(page.build, build)) return null
  const decoded = await decodePrefetched(page, url)
  try {
    assertPageOf(decoded.payload, url, page.build)
  } catch {
    return null
  }
  return decoded
}

async function fetchOnce(fetching: PageFetch): Promise<LoadedPage> {
  const startedAtMs = import.meta.env.WAYMARK_TRACED ? performance.now() : 0
  const loaded = await fetchPage(fetching)
  if (import.meta.env.WAYMARK_TRACED) {
    trace({ type: 'arrived', what: 'data', durationMs: performance.now() - startedAtMs })
  }
  // Wait 30 ms, so that most pages are verified completely before they are shown. A streaming page
  // takes longer, so don't wait for its end.
  await Promise.race([loaded.whole, new Promise((resolve) => setTimeout(resolve, 30))])
  return loaded
}

/** Watches the rest of a page while it arrives. The data may be cut off, or stop arriving. */
export function watchStreamEnd(
  { whole, onBytes }: Pick<LoadedPage, 'whole' | 'onBytes'>,
  { timeoutMs }: { readonly timeoutMs: number },
  onBroken: (how: Break) => void,
): void {
  const silence = createDeadline({ timeoutMs, onTimeout: () => onBroken('silent') })
  onBytes(silence.progress)
  whole.then(silence.stop, () => {
    silence.stop()
    onBroken('cut')
  })
}
