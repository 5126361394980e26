import { createHash } from 'node:crypto'
import { cache as onceInRendering } from 'react'
import { cached, connection } from 'waymark/server'
import {
  type FetchPlan,
  type NextFetchOptions,
  planFetch,
  type SegmentOptions,
} from './fetchOptions.ts'

type Init = RequestInit & { readonly next?: NextFetchOptions | undefined }

/** State that all requests during a rendering share. */
const rendering = onceInRendering(() => ({
  segment: {} as SegmentOptions,
  running: new Map<string, Promise<Response>>(),
}))

/**
 * Reports the options that a layout or page exports, when it starts to render. Inner segments
 * override outer ones.
 */
export function enterSegment({ fetchCache, revalidate }: SegmentOptions): void {
  const state = rendering()
  const { segment } = state
  const shorter = Math.min(segment.revalidate || Infinity, revalidate || Infinity)
  state.segment = {
    fetchCache: fetchCache ?? segment.fetchCache,
    revalidate: shorter === Infinity ? undefined : shorter,
  }
}

const original = Symbol.for('next-names.fetch')
type Patched = typeof fetch & { [original]?: typeof fetch }

let send = globalThis.fetch
const patched: Patched = (input: Parameters<typeof fetch>[0], init?: Init) =>
  fetchCached(input, init)

/**
 * Adds the cache to `fetch`. Each route file calls this, because a bundler removes a module whose
 * exports are never used.
 */
export function installFetch(): void {
  // Other code may have wrapped `fetch` since the first time, so don't install the cache twice.
  if (patched[original]) return
  // The dev server evaluates this module again after a change, so find the original `fetch` instead
  // of wrapping the wrapper.
  send = (globalThis.fetch as Patched)[original] ?? globalThis.fetch
  patched[original] = send
  globalThis.fetch = patched
}

const readableFiles = new Set<string>()

/** Allows `fetch` to read a file whose URL is in the app's code. Other files stay unreadable. */
export function readableFile(url: URL): URL {
  installFetch()
  readableFiles.add(url.href)
  return url
}

async function readFileResponse(href: string): Promise<Response> {
  const { readFile } = await import('node:fs/promises')
  return new Response(new Uint8Array(await readFile(new URL(href))))
}

async function fetchCached(
  input: Parameters<typeof fetch>[0],
  init: Init | undefined,
): Promise<Response> {
  if (input instanceof URL && readableFiles.has(input.href)) return readFileResponse(input.href)
  const inputRequest = input instanceof Request ? input : null
  const method = (init?.method ?? inputRequest?.method ?? 'GET').toUpperCase()
  const url = inputRequest?.url ?? String(input)
  const headers = new Headers(init?.headers ?? inputRequest?.headers)
  const extendedRequest = inputRequest as (Request & { readonly next?: NextFetchOptions }) | null
  const next = init?.next ?? extendedRequest?.next ?? {}
  const cache = init?.cache ?? (inputRequest?.cache === 'default' ? undefined : inputRequest?.cache)
  const isPersonal = headers.has('authorization') || headers.has('cookie')
  const { segment } = rendering()
  const plan = planFetch({ method, url, cache, next, isPersonal }, segment)
  const key = requestKey({ method, url, headers, inputRequest, init })
  const again = (more?: RequestInit) => {
    const { next: _, ...others } = init ?? {}
    return send(input, { ...others, ...more })
  }
  if (plan.kind === 'send') {
    if (plan.isDynamic) await makeDynamic()
    if (plan.tags.length > 0) await dependOn(plan.tags)
    // Aborting a shared request would affect other callers, so don't share one with a signal.
    if (key === null || init?.signal) return again()
    return shareRunning(rendering().running, key, again)
  }
  if (key === null) return again()
  const signal = init?.signal ?? inputRequest?.signal
  signal?.throwIfAborted()
  // Other callers may wait for the same response, so don't pass on the signal.
  const { running } = rendering()
  const reading = readStored(key, plan, () =>
    shareRunning(running, key, () => again({ signal: null })),
  )
  return signal ? Promise.race([reading, abortOf(signal)]) : reading
}

/**
 * @returns key for sharing and caching a request; `null` for requests that are never shared or
 * cached
 */
function requestKey({
  method,
  url,
  headers,
  inputRequest,
  init,
}: {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly inputRequest: Request | null
  readonly init: Init | undefined
}): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const {
    redirect = inputRequest?.redirect,
    credentials = inputRequest?.credentials,
    mode,
  } = init ?? {}
  const relevant = [...headers].filter(([name]) => !tracing.has(name))
  // Credentials must not become part of a key in the store, so hash the headers.
  const hash = createHash('sha256')
  hash.update(JSON.stringify([relevant, redirect, credentials, mode]))
  return `${method} ${url} ${hash.digest('base64url')}`
}

const tracing = new Set(['traceparent', 'tracestate'])

/** Sends identical requests only once per rendering. */
async function shareRunning(
  running: Map<string, Promise<Response>>,
  key: string,
  again: () => Promise<Response>,
): Promise<Response> {
  const shared = running.get(key) ?? again()
  running.set(key, shared)
  // Each reader needs its own body.
  return (await shared).clone()
}

/** A response in the form in which the cache stores it. */
type StoredResponse = {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array<ArrayBuffer>
}

const largestBody = 2 * 1024 * 1024

/**
 * Carries a response through the cache without storing it, because the cache stores nothing if a
 * function throws.
 */
class Unstored extends Error {
  readonly response: StoredResponse

  constructor(response: StoredResponse, why: string) {
    super(`${response.url} is not cached: ${why}`)
    this.response = response
  }
}

async function readStored(
  key: string,
  { revalidate, tags }: FetchPlan & { kind: 'cache' },
  again: () => Promise<Response>,
): Promise<Response> {
  const store = async (_key: string): Promise<StoredResponse> => {
    const response = await readWhole(await again())
    const { status, body } = response
    if (status !== 200) throw new Unstored(response, `its status is ${status}`)
    if (body.byteLength > largestBody) {
      throw new Unstored(
        response,
        `it has ${body.byteLength} bytes, and the limit is ${largestBody}`,
      )
    }
    return response
  }
  const name = `fetch ${JSON.stringify([revalidate, ...tags])}`
  const read = cached(store, { key: name, tags, revalidate })
  const stored = await read(key).catch((thrown: unknown) => {
    if (thrown instanceof Unstored) return thrown.response
    throw thrown
  })
  return restore(stored)
}

async function readWhole(response: Response): Promise<StoredResponse> {
  const { url, status, statusText } = response
  const headers = [...response.headers].filter(([name]) => !unstoredHeaders.has(name))
  return { url, status, statusText, headers, body: new Uint8Array(await response.arrayBuffer()) }
}

// Headers that aren't stored. They are meant for one reader, or describe an encoding that `fetch`
// has already removed.
const unstoredHeaders = new Set(['set-cookie', 'content-encoding', 'content-length'])

const bodiless = new Set([101, 204, 205, 304])

function restore({ url, status, statusText, headers, body }: StoredResponse): Response {
  const response = new Response(bodiless.has(status) ? null : body, {
    status,
    statusText,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
  return Object.defineProperty(response, 'url', { value: url })
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Makes the page dynamic, if a page is being rendered. */
async function makeDynamic(): Promise<void> {
  try {
    await connection()
  } catch (thrown) {
    // A cached function decides itself how long its result is valid, so ignore the error there.
    if (!isOutside(thrown)) throw thrown
  }
}

function isOutside(thrown: unknown): boolean {
  const code = (thrown as { readonly code?: unknown } | null)?.code
  return code === 'OUTSIDE_REQUEST' || code === 'REQUEST_IN_CACHE'
}

/**
 * Makes the current rendering depend on tags, so that invalidating a tag also invalidates the page.
 */
function dependOn(tags: readonly string[]): Promise<unknown> {
  const key = `fetch tags ${JSON.stringify(tags)}`
  return cached(async () => null, { key, tags, revalidate: false })()
}
