import type { DependencyTracker } from '../../cache/collector.ts'
import type { GivenLifetime } from '../../cache/lifetime.ts'

/** A call of a function whose results are kept. */
export type CachedCall = {
  /** Names the function, and the code it had. */
  readonly id: string
  /** Whether what is kept outlives a build. */
  readonly outlivesBuild: boolean
  readonly run: (...args: unknown[]) => unknown
  readonly args: readonly unknown[]
  readonly tags: readonly string[]
  /** `null` leaves it to `cacheLife()` and to what it uses. */
  readonly lifetime: GivenLifetime | null
}

/** Who calls: a request, or another cached function. */
export type CallReader = {
  /** Of what is itself kept: hears of all that it reads. */
  readonly life: DependencyTracker | null
  /** Keys that are being computed around the call. */
  readonly computing?: readonly string[]
  /** Of a request. */
  readonly request?: { readonly headers: { get(name: string): string | null } }
}

/** Answers a call from the cache, or computes it. */
export type ReadCached = (call: CachedCall, reader: CallReader) => Promise<unknown>
