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

/** What belongs to one rendering. */
const rendering = onceInRendering(() => ({
  segment: {} as SegmentOptions,
  running: new Map<string, Promise<Response>>(),
}))

/** Says what a layout or a page exports: called as it begins to render. The inner ones go first. */
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

/** Puts the cache before `fetch`: called by each route file, as a bundler drops what is not called. */
export function installFetch(): void {
  // Only once: others may have wrapped it since.
  if (patched[original]) return
  // The dev server evaluates this module again.
  send = (globalThis.fetch as Patched)[original] ?? globalThis.fetch
  patched[original] = send
  globalThis.fetch = patched
}

const readableFiles = new Set<string>()

/** Lets `fetch` read a file that the app's code names, and no other one: its address stays as it is. */
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
    // Who may give it up has it alone.
    if (key === null || init?.signal) return again()
    return shareRunning(rendering().running, key, again)
  }
  if (key === null) return again()
  const signal = init?.signal ?? inputRequest?.signal
  signal?.throwIfAborted()
  // Others may wait for it, too: nobody's signal ends it.
  const { running } = rendering()
  const reading = readStored(key, plan, () =>
    shareRunning(running, key, () => again({ signal: null })),
  )
  return signal ? Promise.race([reading, abortOf(signal)]) : reading
}

/** @returns `null` for what is sent each time */
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
  // Hashed: what proves who asks is no part of a name in a store.
  const hash = createHash('sha256')
  hash.update(JSON.stringify([relevant, redirect, credentials, mode]))
  return `${method} ${url} ${hash.digest('base64url')}`
}

const tracing = new Set(['traceparent', 'tracestate'])

/** Sends equal requests of one rendering once. */
async function shareRunning(
  running: Map<string, Promise<Response>>,
  key: string,
  again: () => Promise<Response>,
): Promise<Response> {
  const shared = running.get(key) ?? again()
  running.set(key, shared)
  // Each reader has a body of its own.
  return (await shared).clone()
}

/** A response, as it is stored. */
type StoredResponse = {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array<ArrayBuffer>
}

const largestBody = 2 * 1024 * 1024

/** Carries a response that is not stored past the cache, which stores nothing that throws. */
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
      throw new Unstored(response, `it has ${body.byteLength} bytes, of at most ${largestBody}`)
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

// What is for one reader, and what the platform's `fetch` has undone.
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

/** Lets the page depend on its request, where there is one. */
async function makeDynamic(): Promise<void> {
  try {
    await connection()
  } catch (thrown) {
    // A cached function decides by itself how long its result counts.
    if (!isOutside(thrown)) throw thrown
  }
}

function isOutside(thrown: unknown): boolean {
  const code = (thrown as { readonly code?: unknown } | null)?.code
  return code === 'OUTSIDE_REQUEST' || code === 'REQUEST_IN_CACHE'
}

/** Lets the end of a tag end what is rendered, too. */
function dependOn(tags: readonly string[]): Promise<unknown> {
  const key = `fetch tags ${JSON.stringify(tags)}`
  return cached(async () => null, { key, tags, revalidate: false })()
}
