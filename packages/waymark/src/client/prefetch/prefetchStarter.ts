import { createLazyModule } from '../assets/lazyModule.ts'
import type { Prefetcher } from './prefetcher.ts'

/** Prefetching, as far as the router needs it; until its code is there, nothing is prefetched. */
export type PrefetchStarter = Pick<
  Prefetcher,
  'consume' | 'intend' | 'resetPage' | 'invalidate'
> & {
  /** Loads the code, and begins. */
  start(): void
}

/** Creates the prefetching of a document, which begins with `start`, or with the first intent. */
export function createPrefetchStarter(document: Document): PrefetchStarter {
  const prefetcher = createLazyModule(() =>
    import('./prefetchChunk.ts').then((module) => module.startPrefetching(document)),
  )
  // Code that can't be loaded: the next sign tries again.
  const withCode = (act: (prefetcher: Prefetcher) => void) =>
    void prefetcher.load().then(act, () => {})
  return {
    start: () => withCode(() => {}),
    intend: (url) => withCode(({ intend }) => intend(url)),
    consume: (url) => prefetcher.loaded?.consume(url) ?? null,
    resetPage: () => prefetcher.loaded?.resetPage(),
    invalidate: () => prefetcher.loaded?.invalidate(),
  }
}
