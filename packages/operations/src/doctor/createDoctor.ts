import type { CreateServerPart, HandlerResponse, ServerApp, ServerRequest } from 'waymark/plugin'
import { parseSecrets, runtimeSecrets } from 'waymark/plugin/server'
import {
  type DoctorReport,
  doctorHeader,
  doctorPath,
  fingerprint,
  isStreamKind,
  type ProvenQuestion,
  pieceEveryMs,
  proveAnswer,
  readQuestion,
  type StreamKind,
  streamedPieces,
} from './proof.ts'

export const serverPart: CreateServerPart = (app) => ({
  endpoints: [
    { path: doctorPath, handle: createDoctor(app, { env: process.env, runtimeSecrets }) },
  ],
})

type DoctorApp = Pick<ServerApp, 'buildId' | 'actions' | 'cache' | 'servedAssets'>

export type DoctorOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns the secrets of the server: those in the environment, or else the build's. */
  readonly runtimeSecrets: () => readonly string[]
  readonly now?: () => number
}

/**
 * @returns `null` without a valid proof, so that the client gets the same response as for an unknown
 * path
 */
export type DoctorResponder = (request: ServerRequest) => Promise<HandlerResponse | null>

/** Creates the endpoint for `waymark doctor`. */
export function createDoctor(
  { buildId, actions, cache, servedAssets }: DoctorApp,
  { env, runtimeSecrets, now = Date.now }: DoctorOptions,
): DoctorResponder {
  // Create the id late, because some runtimes have no random values before the first request.
  let instance: string | null = null

  async function report(
    question: ProvenQuestion,
    secrets: readonly string[],
  ): Promise<DoctorReport> {
    instance ??= crypto.randomUUID().slice(0, 8)
    const isAsked = (name: ProvenQuestion['question']) => question.question === name
    return {
      buildId,
      keyRing: await Promise.all(secrets.map(fingerprint)),
      secretFrom: parseSecrets(env).length > 0 ? 'environment' : 'build',
      actionIds: await fingerprint(Object.keys(actions).sort().join(' ')),
      instance,
      timeMs: now(),
      hasEntry: await ask(cache, question),
      assets: isAsked('assets') ? servedAssets() : null,
      variables: isAsked('variables') ? await fingerprintNames(env) : null,
    }
  }

  return async (request) => {
    const header = request.headers.get(doctorHeader)
    if (header === null || !/^(?:POST|GET)$/.test(request.method)) return null
    const secrets = runtimeSecrets()
    const question = await readQuestion(header, secrets, now())
    if (question === null) return null
    const { proven, secret } = question
    if (isStreamKind(proven.question)) {
      return streamedResponse(proven.question, await proveAnswer('', proven.nonce, secret))
    }
    if (request.method !== 'POST') return null
    const body = JSON.stringify(await report(proven, secrets))
    const proof = await proveAnswer(body, proven.nonce, secret)
    return {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['cache-control', 'no-store'],
        [doctorHeader, proof],
      ],
      body,
    }
  }
}

// The headers of a page, of page data, and of a stream of @waymark/live. Proxies decide by these
// headers if they buffer or compress a response.
const streamHeaders: Readonly<Record<StreamKind, readonly [name: string, value: string][]>> = {
  page: [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'private, no-store'],
  ],
  data: [
    ['content-type', 'text/x-component; charset=utf-8'],
    ['cache-control', 'private, no-store'],
  ],
  events: [
    ['content-type', 'text/event-stream'],
    ['cache-control', 'no-store, no-transform'],
    ['x-accel-buffering', 'no'],
  ],
}

function streamedResponse(kind: StreamKind, proof: string): HandlerResponse {
  const headers = [...streamHeaders[kind], [doctorHeader, proof] as [string, string]]
  return { status: 200, headers, body: piecesOf() }
}

async function* piecesOf(): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const [at, piece] of streamedPieces.entries()) {
    // Some runtimes lack `node:timers`.
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, pieceEveryMs))
    yield encoder.encode(`data: ${piece}\n\n`)
  }
}

/** The names of variables without their values. An empty variable counts as missing. */
function fingerprintNames(env: DoctorOptions['env']): Promise<string[]> {
  return Promise.all(
    Object.keys(env)
      .filter((name) => env[name]?.trim())
      .map(fingerprint),
  )
}

const expireSeconds = 60

/** @returns true if the cache contains the entry; `null` if the question wasn't about an entry */
async function ask(
  cache: ServerApp['cache'],
  { question, key }: ProvenQuestion,
): Promise<boolean | null> {
  const name = `waymark doctor ${key}`
  switch (question) {
    case 'write':
      await cache.store(name, entryOf(name))
      return null
    case 'invalidate':
      await cache.invalidate([name], 'expired')
      return null
    case 'read':
      return isThere(cache, name)
    default:
      return null
  }
}

async function isThere(cache: ServerApp['cache'], name: string): Promise<boolean> {
  try {
    await cache.read(name, () => Promise.reject(new Error('Nobody has written it.')))
    return true
  } catch {
    return false
  }
}

function entryOf(name: string) {
  const value = new TextEncoder().encode('well')
  return { value, tags: [name], revalidateSeconds: null, expireSeconds, isShared: true }
}
