import { createLazyModule } from '../assets/lazyModule.ts'
import type { Prefetcher } from './prefetcher.ts'

export type PrefetchStarter = Pick<
  Prefetcher,
  'consume' | 'intend' | 'resetPage' | 'invalidate'
> & {
  start(): void
}

export function createPrefetchStarter(document: Document): PrefetchStarter {
  const prefetcher = createLazyModule(() =>
    import('./prefetchChunk.ts').then((module) =>
      module.startPrefetching(document, prefersReducedData),
    ),
  )
  // Ignore the error if the code can't be loaded; the next call tries again.
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

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

export function prefersReducedData(): boolean {
  const { connection } = navigator as { connection?: Connection }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return isSlow || document.visibilityState === 'hidden'
}
