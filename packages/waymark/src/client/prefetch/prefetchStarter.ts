import { mayPrefetch } from '../navigation/links.ts'
import type { Prefetcher } from './prefetcher.ts'

/** Prefetching, as far as the router needs it; until its code is there, nothing is prefetched. */
export type PrefetchStarter = Pick<
  Prefetcher,
  'consume' | 'intend' | 'resetPage' | 'invalidate'
> & {
  /** Loads the code, and begins. */
  start(): void
}

/** Creates the prefetching of a document, which begins with `start`, or when a link is pointed at. */
export function createPrefetchStarter(document: Document): PrefetchStarter {
  let prefetcher: Prefetcher | null = null
  let loading: Promise<Prefetcher> | null = null

  async function load(): Promise<Prefetcher> {
    const code = await import('./prefetchChunk.ts')
    prefetcher = code.startPrefetching(document)
    return prefetcher
  }
  function start(url?: URL): void {
    loading ??= load()
    loading.then(
      (started) => url && started.intend(url),
      () => {
        // The next sign tries again.
        loading = null
      },
    )
  }
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    // From its start on, the prefetcher watches links itself.
    if (!prefetcher && link && mayPrefetch(link)) start(new URL(link.href))
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, look, { passive: true })
  }
  return {
    start: () => start(),
    consume: (url) => prefetcher?.consume(url) ?? null,
    intend: (url) => start(url),
    resetPage: () => prefetcher?.resetPage(),
    invalidate: () => prefetcher?.invalidate(),
  }
}
