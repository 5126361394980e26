import type { CreateServerPart, HandlerResponse, ServerApp, ServerRequest } from 'waymark/plugin'
import { parseSecrets } from 'waymark/plugin/server'
import {
  type DoctorReport,
  doctorHeader,
  doctorPath,
  fingerprint,
  type ProvenQuestion,
  proveAnswer,
  readQuestion,
} from './proof.ts'

export const serverPart: CreateServerPart = (app) => ({
  endpoints: [{ path: doctorPath, handle: createDoctor(app, process.env) }],
})

type DoctorApp = Pick<ServerApp, 'buildId' | 'actions' | 'cache' | 'servedAssets'>

/**
 * @returns `null` without a valid proof, so that the client gets the same response as for an unknown
 * path
 */
export type DoctorResponder = (request: ServerRequest) => Promise<HandlerResponse | null>

/** Creates the endpoint for `waymark doctor`. Without `WAYMARK_SECRET`, it refuses all requests. */
export function createDoctor(
  { buildId, actions, cache, servedAssets }: DoctorApp,
  env: Readonly<Record<string, string | undefined>>,
  now = Date.now,
): DoctorResponder {
  // Create the id late, because some runtimes have no random values before the first request.
  let instance: string | null = null

  async function report(
    question: ProvenQuestion,
    secrets: readonly string[],
  ): Promise<DoctorReport> {
    instance ??= crypto.randomUUID().slice(0, 8)
    const hasEntry = await ask(cache, question)
    const actionIds = await fingerprint(Object.keys(actions).sort().join(' '))
    const keyRing = await Promise.all(secrets.map(fingerprint))
    const assets = question.question === 'assets' ? servedAssets() : null
    return { buildId, keyRing, actionIds, instance, timeMs: now(), hasEntry, assets }
  }

  return async (request) => {
    const header = request.headers.get(doctorHeader)
    const secrets = parseSecrets(env)
    if (header === null || request.method !== 'POST' || secrets.length === 0) return null
    const question = await readQuestion(header, secrets, now())
    if (question === null) return null
    const body = JSON.stringify(await report(question.proven, secrets))
    const proof = await proveAnswer(body, question.proven.nonce, question.secret)
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

const expireSeconds = 60

/** @returns true if the cache contains the entry; `null` if the question wasn't about an entry */
async function ask(
  cache: ServerApp['cache'],
  { question, key }: ProvenQuestion,
): Promise<boolean | null> {
  const name = `waymark doctor ${key}`
  switch (question) {
    case 'report':
    case 'assets':
      return null
    case 'write':
      await cache.store(name, entryOf(name))
      return null
    case 'invalidate':
      await cache.invalidate([name], 'expired')
      return null
    case 'read':
      return isThere(cache, name)
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
