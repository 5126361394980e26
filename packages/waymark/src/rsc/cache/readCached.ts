import type { Cache } from '../../cache/cache.ts'
import { type CacheLife, createDependencyTracker, shorterLife } from '../../cache/collector.ts'
import type { CacheRead, Computed } from '../../cache/computed.ts'
import { defaultLifetime, type Lifetime, readLifetime } from '../../cache/lifetime.ts'
import { frameworkError } from '../../shared/errors.ts'
import { type CacheScope, runInScope } from '../request/scope.ts'
import type { CachedCall, ReadCached } from './cachedCall.ts'

/** Arguments as they are part of a key. */
export type KeyedArguments = {
  readonly key: string
  /** What the function is called with: what is passed through untouched is opaque there. */
  restore(): Promise<readonly unknown[]>
  /** Writes a result. Rejects with what any part of it threw. */
  encode(result: unknown): Promise<{ bytes: Uint8Array; hasClientReferences: boolean }>
  /** Reads a result that this or another process wrote. */
  decode(bytes: Uint8Array): Promise<unknown>
}

/** What calls are answered with. */
export type ReadCachedOptions = {
  readonly cache: Cache
  readonly buildId: string
  readonly keyArguments: (args: readonly unknown[]) => KeyedArguments | Promise<KeyedArguments>
  readonly lifetimes: Readonly<Record<string, Lifetime>>
  readonly now?: () => number
  /** Lets a hard reload compute anew, as in development; hears of it. */
  readonly onHardReload?: ((line: string) => void) | undefined
}

/** Makes what answers the calls of an app's cached functions. */
export function createReadCached(options: ReadCachedOptions): ReadCached {
  const { cache, buildId, keyArguments, now = Date.now, onHardReload } = options

  async function compute(
    call: CachedCall,
    keyed: KeyedArguments,
    scope: CacheScope,
  ): Promise<Computed> {
    const args = await keyed.restore()
    const result = await runInScope(scope, () => call.run(...args))
    const { bytes, hasClientReferences } = await runInScope(scope, () => keyed.encode(result))
    if (hasClientReferences && call.outlivesBuild) throw frameworkError('CACHE_KEY_COMPONENT', call)
    const { revalidate, expire } = lifetimeOf(call, scope)
    const tags = [...new Set([...scope.tags, ...scope.life.tags])]
    return {
      value: bytes,
      tags,
      revalidateSeconds: revalidate,
      expireSeconds: expire,
      isShared: true,
    }
  }

  const readCached: ReadCached = async (call, reader) => {
    const keyed = await keyArguments(call.args)
    const build = call.outlivesBuild ? '' : `${buildId} `
    const key = `${build}${call.id} ${keyed.key}`
    const computing = reader.computing ?? []
    if (computing.includes(key)) throw frameworkError('CACHE_CIRCLE', call)
    if (onHardReload && reader.request?.headers.get('cache-control') === 'no-cache') {
      onHardReload(`A hard reload computes ${call.id} anew.`)
      await cache.delete(key)
    }
    const computeIt = () =>
      compute(call, keyed, {
        phase: 'cache',
        cache,
        readCached,
        computing: [...computing, key],
        tags: new Set(call.tags),
        life: createDependencyTracker(),
        lifetimes: options.lifetimes,
        lifetime: null,
      })
    // What is kept itself must not be made of what is out of date.
    const read = await cache.read(key, computeIt, { acceptsStale: reader.life === null })
    reader.life?.add(lifeLeft(read, now()))
    return keyed.decode(read.value)
  }
  return readCached
}

/** What the function says counts; else the shortest of what it used. */
function lifetimeOf({ lifetime }: CachedCall, scope: CacheScope): Lifetime {
  if (scope.lifetime) return scope.lifetime
  if (lifetime) return readLifetime(lifetime)
  const { revalidateSeconds, expireSeconds } = scope.life
  return {
    revalidate: shorterLife(defaultLifetime.revalidate, revalidateSeconds),
    expire: shorterLife(defaultLifetime.expire, expireSeconds),
  }
}

/** How long what was read may still be kept in something else. */
function lifeLeft({ tags, revalidateAtMs, expireAtMs }: CacheRead, nowMs: number): CacheLife {
  return {
    tags,
    revalidateSeconds: secondsUntil(revalidateAtMs, nowMs),
    expireSeconds: secondsUntil(expireAtMs, nowMs),
  }
}

// What is due now counts as due soon: without a pause it would be computed all the time.
function secondsUntil(atMs: number | null, nowMs: number): number | null {
  return atMs === null ? null : Math.max(1, (atMs - nowMs) / 1_000)
}
