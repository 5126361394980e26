import { AsyncLocalStorage } from 'node:async_hooks'
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
import { FrameworkError, frameworkError } from '../../shared/errors.ts'
import { signalOf } from '../../wire/signals.ts'
import { trace } from '../../wire/trace.ts'
import { requestValueReason } from '../request/dynamicValue.ts'
import {
  type CachedCall,
  type CacheScope,
  type CallReader,
  type ReadCached,
  runInScope,
} from '../request/scope.ts'
import { type CachedStep, observed, type ServerObserver } from '../request/serverObserver.ts'

export type Codec = {
  /** Runs a function and encodes its result. Rejects if any part of the result fails. */
  encode(run: () => unknown): Promise<{ bytes: Uint8Array; hasClientReferences: boolean }>
  decode(bytes: Uint8Array): Promise<unknown>
  encodeArguments(args: readonly unknown[]): Promise<KeyedArguments>
}

export type KeyedArguments = Pick<Codec, 'encode' | 'decode'> & {
  readonly key: string
  /**
   * Returns the arguments to call the function with. Placeholders stand for elements and functions.
   */
  restore(): Promise<readonly unknown[]>
}

export type ReadCachedOptions = {
  readonly cache: Cache
  readonly buildId: string
  readonly codec: Codec
  readonly lifetimes: Readonly<Record<string, Lifetime>>
  readonly observer?: ServerObserver | null
  readonly now?: () => number
  /** In development: recomputes results after a hard reload, and logs a line about it. */
  readonly onHardReload?: ((line: string) => void) | undefined
  /** In development: explains where cached functions run, once for each function that threw. */
  readonly onFailure?: ((line: string) => void) | undefined
}

// Run cached functions outside of requests. The app's `AsyncLocalStorage` may contain a request's
// user, but the result is also sent to other users.
const outsideOfRequests = AsyncLocalStorage.snapshot()

export function createReadCached(options: ReadCachedOptions): ReadCached {
  const { cache, buildId, codec, observer = null, now = Date.now, onHardReload } = options
  const explainFailure = createFailureNote(options.onFailure)

  async function compute(
    call: CachedCall,
    keyed: KeyedArguments,
    scope: CacheScope,
  ): Promise<Computed> {
    const args = await keyed.restore()
    const run = () => call.run(...args)
    const encode = () => runInScope(scope, () => keyed.encode(run))
    const computing = outsideOfRequests(encode)
    computing.catch((thrown) => explainFailure(call.id, thrown))
    const { bytes, hasClientReferences } = await computing
    if (hasClientReferences && call.outlivesBuild) throw frameworkError('CACHE_KEY_COMPONENT', call)
    const tags = [...new Set([...scope.tags, ...scope.life.tags])]
    return { value: bytes, tags, ...lifetimeOf(call, scope), isShared: true }
  }

  const readCached: ReadCached = (call, reader) => {
    const step: CachedStep = { kind: 'cached', id: call.id, result: null }
    return observed(observer, step, () => readStep(call, reader, step))
  }

  async function readStep(call: CachedCall, reader: CallReader, step: CachedStep) {
    const keyed = await keyArguments(call.args, codec)
    const build = call.outlivesBuild ? '' : `${buildId} `
    // Quote the id, because an app may have chosen it.
    const key = `${build}${JSON.stringify(call.id)} ${keyed.key}`
    const { computing = [], readerTags = [] } = reader
    if (computing.includes(key)) throw frameworkError('CACHE_CIRCLE', call)
    if (onHardReload && reader.request?.headers.get('cache-control') === 'no-cache') {
      onHardReload(`${call.id} is computed again because of a hard reload.`)
      await cache.delete(key)
    }
    const computeIt = () =>
      compute(call, keyed, {
        phase: 'cache',
        cache,
        readCached,
        computing: [...computing, key],
        readerTags,
        tags: new Set(call.tags),
        life: createDependencyTracker(),
        lifetimes: options.lifetimes,
        lifetime: null,
      })
    // A cached result must not depend on a stale one.
    const readOptions = { acceptsStale: reader.life?.acceptsStale ?? true, readerTags }
    const startedAtMs = import.meta.env.DEV ? now() : 0
    const before = import.meta.env.DEV ? cache.peek(key) : null
    const read = await cache.read(key, computeIt, readOptions)
    step.result = resultOf(read)
    if (import.meta.env.DEV) traceRead(call.id, { read, before, startedAtMs, nowMs: now() })
    reader.life?.add(lifeLeft(read, now()), read.state === 'stale')
    return keyed.decode(read.value)
  }
  return readCached
}

/**
 * Explains that the app's `AsyncLocalStorage` is empty in a cached function. The errors that this
 * causes don't mention it.
 */
function createFailureNote(print: ReadCachedOptions['onFailure']) {
  const explained = new Set<string>()
  return (id: string, thrown: unknown): void => {
    if (!print || explained.has(id) || thrown instanceof FrameworkError || signalOf(thrown)) return
    explained.add(id)
    print(
      `The cached function ${id} threw. Cached functions run outside of requests, where every AsyncLocalStorage is empty. If this function reads a user or a tenant from an AsyncLocalStorage, pass the value as an argument.`,
    )
  }
}

const results = { fresh: 'hit', stale: 'stale', computed: 'miss' } as const

function resultOf({ state }: CacheRead) {
  return results[state]
}

type TracedRead = {
  readonly read: CacheRead
  readonly before: CacheRead | null
  readonly startedAtMs: number
  readonly nowMs: number
}

function traceRead(id: string, { read, before, startedAtMs, nowMs }: TracedRead): void {
  const isDue = (atMs: number | null | undefined) => typeof atMs === 'number' && atMs <= startedAtMs
  const result = resultOf(read)
  const ended = isDue(before?.revalidateAtMs) ? 'its lifetime has passed' : 'a tag was invalidated'
  const reason = result === 'hit' ? null : before ? ended : 'nothing was cached'
  trace({ type: 'cache', id, result, reason, durationMs: nowMs - startedAtMs })
}

/**
 * Returns the lifetime that the function set itself, or otherwise the shortest lifetime of the
 * results that it used.
 */
function lifetimeOf({ lifetime }: CachedCall, scope: CacheScope) {
  const explicit = scope.lifetime ?? (lifetime && readLifetime(lifetime))
  if (explicit) return { revalidateSeconds: explicit.revalidate, expireSeconds: explicit.expire }
  const { revalidateSeconds, expireSeconds } = scope.life
  return {
    revalidateSeconds: shorterLife(defaultLifetime.revalidate, revalidateSeconds),
    expireSeconds: shorterLife(defaultLifetime.expire, expireSeconds),
  }
}

/** Returns a result's remaining lifetime, which limits the lifetimes of results that use it. */
function lifeLeft({ tags, revalidateAtMs, expireAtMs }: CacheRead, nowMs: number): CacheLife {
  return {
    tags,
    revalidateSeconds: secondsUntil(revalidateAtMs, nowMs),
    expireSeconds: secondsUntil(expireAtMs, nowMs),
  }
}

// Returns the seconds until a time, but at least 1. With 0, the result would be computed again and
// again.
function secondsUntil(atMs: number | null, nowMs: number): number | null {
  return atMs === null ? null : Math.max(1, (atMs - nowMs) / 1_000)
}

/** Creates the cache key for arguments. Strings, numbers and other simple values are encoded without React. */
async function keyArguments(args: readonly unknown[], codec: Codec): Promise<KeyedArguments> {
  const trimmed = withoutTrailing(args)
  const simple = trimmed.map(simpleKey)
  if (!simple.includes(null)) {
    const { encode, decode } = codec
    return { key: `(${simple.join(',')})`, restore: async () => trimmed, encode, decode }
  }
  const keyed = await codec.encodeArguments(trimmed.map(withoutRequestValues))
  const removed = trimmed.flatMap(listRequestValues)
  return {
    ...keyed,
    // The function gets a promise that rejects in place of a removed value. Add these places to the
    // key, so that the key differs from that for `null`.
    key: removed.length === 0 ? keyed.key : `${keyed.key} without ${JSON.stringify(removed)}`,
    async restore() {
      const restored = await keyed.restore()
      return restored.map((value, at) => withRefusals(value, trimmed[at]))
    },
  }
}

/** Returns the key of a simple value, or `null` for an object. */
function simpleKey(arg: unknown): string | null {
  switch (typeof arg) {
    case 'string':
      return JSON.stringify(arg)
    case 'number':
      return Object.is(arg, -0) ? '-0' : String(arg)
    case 'boolean':
    case 'undefined':
      return String(arg)
    case 'bigint':
      return `${arg}n`
    default:
      return arg === null ? 'null' : null
  }
}

// Removes trailing `undefined` arguments. React passes `undefined` as a component's second
// argument.
function withoutTrailing(args: readonly unknown[]): readonly unknown[] {
  let end = args.length
  while (end > 0 && args[end - 1] === undefined) end--
  return end === args.length ? args : args.slice(0, end)
}

/**
 * Replaces values such as `searchParams`, which would give each URL a separate key, with `null`.
 */
function withoutRequestValues(arg: unknown): unknown {
  if (requestValueReason(arg) !== undefined) return null
  if (!isPlain(arg)) return arg
  const others = Object.entries(arg).filter(([, value]) => requestValueReason(value) === undefined)
  return Object.fromEntries(others)
}

/** Lists where values were removed: the index of the argument, and the property. */
function listRequestValues(arg: unknown, at: number): (readonly (number | string)[])[] {
  if (requestValueReason(arg) !== undefined) return [[at]]
  if (!isPlain(arg)) return []
  return Object.entries(arg).flatMap(([name, value]) =>
    requestValueReason(value) === undefined ? [] : [[at, name]],
  )
}

/** Replaces removed values with promises that reject. */
function withRefusals(restored: unknown, original: unknown): unknown {
  const reason = requestValueReason(original)
  if (reason !== undefined) return createRefusal(reason)
  if (!isPlain(original)) return restored
  const refusals = Object.entries(original).flatMap(([name, value]) => {
    const ofProperty = requestValueReason(value)
    return ofProperty === undefined ? [] : [[name, createRefusal(ofProperty)]]
  })
  return refusals.length === 0
    ? restored
    : { ...(restored as object), ...Object.fromEntries(refusals) }
}

/** Creates a promise that rejects only when awaited. */
function createRefusal(reason: string): Promise<never> {
  const promise = new Promise<never>(() => {})
  const then = (...handlers: Parameters<Promise<never>['then']>) =>
    Promise.reject(frameworkError('REQUEST_IN_CACHE', { api: reason })).then(...handlers)
  return Object.defineProperties(promise, {
    constructor: { value: undefined },
    // biome-ignore lint/suspicious/noThenProperty: this is a promise
    then: { value: then },
  })
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
