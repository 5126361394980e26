import type { Payload } from '../../shared/payload.ts'
import { createDeadline } from './deadline.ts'
import {
  decodePrefetched,
  fetchPage,
  isOtherBuild,
  type LoadedPage,
  OtherBuild,
  type PageFetch,
} from './fetchPage.ts'
import { isOutdated, type NavigationContext, type NavigationRequest } from './navigation.ts'
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

/** One attempt at loading a page. */
type Attempt = {
  readonly signal: AbortSignal
  /** Data has arrived: the deadline starts again. */
  readonly onProgress: () => void
  readonly onShell: (shell: Shell) => void
}

/**
 * Loads a page: a previous one as it was left, what an action or a prefetch has brought, else
 * from the server.
 * @returns resolves once code and styles are there, too; the rest of the page may still arrive
 */
export async function loadPage(
  context: NavigationContext,
  request: NavigationRequest,
  attempt: Attempt,
): Promise<SourcedPage> {
  const { tab, settings, build, loadAssets, onBroken } = context
  const restored = previousPage(context, request)
  if (restored) return { payload: restored, url: request.url, restored }
  const { page: shown } = tab.state
  const isRefresh = request.kind === 'refresh'
  const known = fromAction(request) ?? (isRefresh ? null : await prefetched(request.url, context))
  const isShell = known?.payload.isShell
  const broken = new AbortController()
  const signal = AbortSignal.any([attempt.signal, broken.signal])
  const fetching: PageFetch = {
    signal,
    onProgress: attempt.onProgress,
    build,
    url: request.url,
    // What is mounted may show what was changed since.
    mounted: isRefresh || isOutdated(tab.state, shown) ? [] : layoutKeys(shown.tree),
    from: shown.from,
    screenPlace: request.screenPlace,
  }
  const loading = known && !isShell ? known : fetchTwice(fetching)
  if (known && isShell) {
    const { payload } = known
    attempt.onShell({ payload, assets: loadAssets(payload, attempt.signal) })
  }
  const loaded = await loading
  const { payload, url } = loaded
  // That of an action, too: its result counts, and its page is of another build.
  if (isOtherBuild(loaded.build, build)) throw new OtherBuild(loaded.build)
  await loadAssets(payload, attempt.signal)
  watchStreamEnd(loaded, settings, () => {
    if (signal.aborted) return
    // A silent response still holds a connection, and in Firefox requests for the same URL.
    broken.abort()
    onBroken()
  })
  const { hash } = request.url
  return { payload, url: url.hash || !hash ? url : new URL(hash, url), restored: null }
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

/** The page that came with an action's response: should it break, it is fetched the second time. */
function fromAction({ fromAction: response }: NavigationRequest): LoadedPage | null {
  const page = response?.page ?? null
  if (response) response.page = null
  return page
}

/** What was prefetched, unless another build has rendered it: that is fetched again. */
async function prefetched(
  url: URL,
  { prefetch, build }: NavigationContext,
): Promise<LoadedPage | null> {
  const page = prefetch.consume(url)
  return page && !isOtherBuild(page.build, build) ? decodePrefetched(page, url) : null
}

/** Fetches a page; what arrived broken once more, since the same response may come whole then. */
async function fetchTwice(fetching: PageFetch): Promise<LoadedPage> {
  try {
    return await fetchOnce(fetching)
  } catch (error) {
    // React's decoder throws what JSON.parse throws for a row that was changed on its way.
    const isBroken = error instanceof BrokenPayload || error instanceof SyntaxError
    if (fetching.signal.aborted || !isBroken) throw error
    return fetchOnce(fetching)
  }
}

async function fetchOnce(fetching: PageFetch): Promise<LoadedPage> {
  const loaded = await fetchPage(fetching)
  // A payload that has arrived is known to be whole before it is shown; for a streaming one
  // there is no waiting.
  await Promise.race([loaded.whole, new Promise((resolve) => setTimeout(resolve, 30))])
  return loaded
}

/** Longer than any page streams: only silence counts, once a page is shown. */
const noCapMs = 2 ** 31 - 1

/** Watches what still arrives of a page: it may be cut, or fall silent for ever. */
export function watchStreamEnd(
  { whole, onBytes }: Pick<LoadedPage, 'whole' | 'onBytes'>,
  { timeoutMs }: { readonly timeoutMs: number },
  onBroken: () => void,
): void {
  const silence = createDeadline({ timeoutMs, hardCapMs: noCapMs, onTimeout: onBroken })
  onBytes(silence.progress)
  whole.then(silence.stop, () => {
    silence.stop()
    onBroken()
  })
}
