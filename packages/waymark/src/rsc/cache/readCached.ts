import type { Cache } from '../../cache/cache.ts'
import type { CacheRead, Computed } from '../../cache/cacheEntry.ts'
import {
  type CacheLife,
  createDependencyTracker,
  defaultLifetime,
  type Lifetime,
  readLifetime,
  shorterLife,
} from '../../cache/cacheLife.ts'
import { frameworkError } from '../../shared/errors.ts'
import { requestValueReason } from '../request/dynamicValue.ts'
import { type CachedCall, type CacheScope, type ReadCached, runInScope } from '../request/scope.ts'

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

/** React's side of it. */
export type Codec = {
  encodeArguments(args: readonly unknown[]): Promise<KeyedArguments>
  encode: KeyedArguments['encode']
  decode: KeyedArguments['decode']
}

/**
 * Makes what turns arguments into a part of a key. Texts, numbers and their like are written
 * without asking React.
 */
export function createKeyArguments(codec: Codec) {
  const { encode, decode } = codec
  return (args: readonly unknown[]): KeyedArguments | Promise<KeyedArguments> => {
    const given = withoutTrailing(args)
    const key = simpleKey(given)
    if (key !== null) return { key, restore: async () => given, encode, decode }
    return keyWithReact(given, codec)
  }
}

async function keyWithReact(args: readonly unknown[], codec: Codec): Promise<KeyedArguments> {
  const { kept, putBack } = refuseRequestValues(args)
  const keyed = await codec.encodeArguments(kept)
  return { ...keyed, restore: async () => putBack(await keyed.restore()) }
}

/** A key of arguments that are no objects; `null` when one is. */
function simpleKey(args: readonly unknown[]): string | null {
  const parts: string[] = []
  for (const arg of args) {
    switch (typeof arg) {
      case 'string':
        parts.push(JSON.stringify(arg))
        break
      case 'number':
        parts.push(Object.is(arg, -0) ? '-0' : String(arg))
        break
      case 'boolean':
      case 'undefined':
        parts.push(String(arg))
        break
      case 'bigint':
        parts.push(`${arg}n`)
        break
      default:
        if (arg !== null) return null
        parts.push('null')
    }
  }
  return `(${parts.join(',')})`
}

// React calls components with a second argument that is undefined.
function withoutTrailing(args: readonly unknown[]): readonly unknown[] {
  let end = args.length
  while (end > 0 && args[end - 1] === undefined) end--
  return end === args.length ? args : args.slice(0, end)
}

/** Arguments without what belongs to a request, and the way to put a refusal in its place. */
export type RefusedValues = {
  readonly kept: readonly unknown[]
  putBack(args: readonly unknown[]): readonly unknown[]
}

/**
 * Takes what belongs to a request out of arguments and of their properties, as the `searchParams`
 * of a page's props: reading it would make every address a key of its own.
 */
export function refuseRequestValues(args: readonly unknown[]): RefusedValues {
  const refused: { index: number; name: string | null; reason: string }[] = []
  const kept = args.map((arg, index) => {
    const reason = requestValueReason(arg)
    if (reason !== undefined) {
      refused.push({ index, name: null, reason })
      return null
    }
    if (!isPlain(arg)) return arg
    const names = Object.keys(arg).filter((name) => {
      const ofProperty = requestValueReason(arg[name])
      if (ofProperty !== undefined) refused.push({ index, name, reason: ofProperty })
      return ofProperty !== undefined
    })
    return names.length === 0 ? arg : without(arg, names)
  })
  return {
    kept,
    putBack(restored) {
      const all = [...restored]
      for (const { index, name, reason } of refused) {
        const refusal = createRefusal(reason)
        all[index] = name === null ? refusal : { ...(all[index] as object), [name]: refusal }
      }
      return all
    },
  }
}

/** A promise that rejects when it is waited for, and not before. */
function createRefusal(reason: string): Promise<never> {
  const promise = new Promise<never>(() => {})
  const then = (...handlers: Parameters<Promise<never>['then']>) =>
    Promise.reject(frameworkError('REQUEST_IN_CACHE', { api: reason })).then(...handlers)
  return Object.defineProperties(promise, {
    constructor: { value: undefined },
    // biome-ignore lint/suspicious/noThenProperty: it is a promise, and stays one
    then: { value: then },
  })
}

function without(object: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
