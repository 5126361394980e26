import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadEnvFiles } from '../node/env.ts'
import { readSecrets } from '../shared/doctorProof.ts'
import type { Command } from './arguments.ts'
import {
  type Check,
  clockCheck,
  createQueryServer,
  invalidationCheck,
  type QueryServer,
  type ServerReport,
  sameCheck,
  sharedCheck,
} from './doctorChecks.ts'
import type { Terminal } from './terminal.ts'

/** Proves that running servers agree. */
export const doctor: Command = async ({ options, terminal }) => {
  const { urls = [], json, mode = 'production' } = options
  if (urls.length === 0) {
    terminal.fail(
      'No server is named.',
      'Write: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000',
    )
    return 2
  }
  loadEnvFiles(process.cwd(), mode, process.env)
  const [secret] = readSecrets(process.env)
  if (secret === undefined) {
    terminal.fail(
      'WAYMARK_SECRET is not set here, and servers tell nothing to strangers.',
      'Set it to the same as on the servers, in the environment or in .env.',
    )
    return 2
  }
  const findings = await examine(urls, createQueryServer(secret), randomBytes(8).toString('hex'))
  const isWell = findings.checks.length > 0 && findings.checks.every(({ isOk }) => isOk)
  if (json) terminal.print(JSON.stringify(toJson(findings, isWell), null, 2))
  else print(findings, terminal)
  return isWell ? 0 : 1
}

function toJson({ servers, checks }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map(({ url, told, problem }) => ({
      url,
      problem,
      processes: [...new Set(told.map(({ report }) => report.instance))],
    })),
    checks: checks.map(({ name, isOk, text, details, ms }) => ({
      name,
      ok: isOk,
      text,
      details,
      ms,
    })),
  }
}

function print({ servers, checks }: Findings, { paint, print: line }: Terminal): void {
  const mark = (isOk: boolean) => (isOk ? paint.green('✓') : paint.red('✗'))
  for (const { url, problem } of servers) {
    if (problem !== null) line(`${mark(false)} ${url}: ${problem}`)
  }
  for (const { isOk, text, details } of checks) {
    line(`${mark(isOk)} ${text}`)
    for (const detail of details) line(`    ${detail}`)
  }
}

/** What is known of the servers behind a URL. */
export type ExaminedServer = {
  readonly url: string
  readonly told: readonly ServerReport[]
  /** Why it could not be asked. */
  readonly problem: string | null
}

/** What an examination found. */
export type Findings = {
  readonly servers: readonly ExaminedServer[]
  readonly checks: readonly Check[]
}

// Behind one URL, several processes may take turns.
const samples = 8
const readsInRow = 4
const pollMs = 10
const longestMs = 5_000

/**
 * Examines a fleet.
 * @param key of the cache entry that is written for it; nobody else uses it
 */
export async function examine(
  urls: readonly string[],
  ask: QueryServer,
  key: string,
): Promise<Findings> {
  const servers = await Promise.all(urls.map((url) => sample(url, ask, key)))
  const there = servers.filter(({ problem }) => problem === null)
  if (there.length < servers.length || there.length === 0) return { servers, checks: [] }
  const checks = [
    sameCheck('build', 'build id', there, ({ buildId }) => buildId),
    sameCheck('keyRing', 'key ring', there, ({ keyRing }) => keyRing.join(' ')),
    sameCheck('actions', 'action ids', there, ({ actionIds }) => actionIds),
    clockCheck(there),
  ]
  const processes = new Set(there.flatMap(({ told }) => told.map(({ report }) => report.instance)))
  return { servers, checks: [...checks, ...(await cacheChecks(urls, ask, key, processes.size))] }
}

async function sample(url: string, ask: QueryServer, key: string): Promise<ExaminedServer> {
  try {
    const told: ServerReport[] = []
    for (let n = 0; n < samples; n++) told.push(await ask(url, 'report', key))
    return { url, told, problem: null }
  } catch (error) {
    return { url, told: [], problem: (error as Error).message }
  }
}

/** Writes at the first server, reads at all; invalidates at the first, and waits for all. */
async function cacheChecks(
  urls: readonly string[],
  ask: QueryServer,
  key: string,
  processCount: number,
): Promise<Check[]> {
  const [first = ''] = urls
  await ask(first, 'write', key)
  const missing: string[] = []
  for (const url of urls) {
    const has = await readRow(url, ask, key)
    if (!has.every((each) => each)) missing.push(url)
  }
  const shared = sharedCheck(missing, processCount)
  if (missing.length > 0) return [shared]
  await ask(first, 'invalidate', key)
  const sinceMs = performance.now()
  const latencies = await Promise.all(urls.map((url) => untilGone(url, ask, key, sinceMs)))
  return [shared, invalidationCheck(urls, latencies)]
}

async function readRow(url: string, ask: QueryServer, key: string): Promise<boolean[]> {
  const has: boolean[] = []
  for (let n = 0; n < readsInRow; n++) {
    has.push((await ask(url, 'read', key)).report.hasEntry === true)
  }
  return has
}

/** @returns milliseconds until the first of some reads in a row that find nothing; `null`: never */
async function untilGone(
  url: string,
  ask: QueryServer,
  key: string,
  sinceMs: number,
): Promise<number | null> {
  while (performance.now() - sinceMs < longestMs) {
    const atMs = performance.now()
    if ((await readRow(url, ask, key)).every((has) => !has)) return Math.round(atMs - sinceMs)
    await sleep(pollMs)
  }
  return null
}
