import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadEnvFiles } from '../node/env.ts'
import { readSecrets } from '../shared/doctorProof.ts'
import type { Command } from './arguments.ts'
import {
  type Check,
  checkClocks,
  checkInvalidation,
  checkSame,
  checkSharedCache,
  createQueryServer,
  type QueryServer,
  type ServerReport,
} from './doctorChecks.ts'
import type { Terminal } from './terminal.ts'

/** Checks that running servers agree. */
export const doctor: Command = async ({ options, terminal }) => {
  const { urls = [], json, mode = 'production' } = options
  if (urls.length === 0) {
    const example = 'Write: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000'
    terminal.fail('The URLs of the servers are missing.', example)
    return 2
  }
  loadEnvFiles(process.cwd(), mode, process.env)
  const [secret] = readSecrets(process.env)
  if (secret === undefined) {
    terminal.fail(
      'WAYMARK_SECRET is not set here. Servers only answer those who know it.',
      'Set it to the value that the servers have, in the environment or in .env.',
    )
    return 2
  }
  const findings = await examine(urls, createQueryServer(secret), randomBytes(8).toString('hex'))
  const ok = findings.checks.length > 0 && findings.checks.every(({ isOk }) => isOk)
  if (json) terminal.print(JSON.stringify(toJson(findings, ok), null, 2))
  else print(findings, terminal)
  return ok ? 0 : 1
}

function toJson({ servers, checks }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map(({ url, reports, problem }) => ({
      url,
      problem,
      processes: processesOf(reports),
    })),
    checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })),
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

type ExaminedServer = {
  readonly url: string
  readonly reports: readonly ServerReport[]
  /** Why it could not be queried. */
  readonly problem: string | null
}

type Findings = { readonly servers: readonly ExaminedServer[]; readonly checks: readonly Check[] }

// A URL may stand for several processes.
const samples = 8
const readsInRow = 4
const pollMs = 10
const maxWaitMs = 5_000

/**
 * Examines the servers of an app.
 * @param key of the cache entry that is written for it; nothing else uses it
 */
export async function examine(
  urls: readonly string[],
  query: QueryServer,
  key: string,
): Promise<Findings> {
  const servers = await Promise.all(urls.map((url) => sample(url, query, key)))
  if (servers.some(({ problem }) => problem !== null)) return { servers, checks: [] }
  const checks = [
    checkSame('build', 'build id', servers, ({ buildId }) => buildId),
    checkSame('keyRing', 'key ring', servers, ({ keyRing }) => keyRing.join(' ')),
    checkSame('actions', 'action ids', servers, ({ actionIds }) => actionIds),
    checkClocks(servers),
  ]
  const processCount = processesOf(servers.flatMap(({ reports }) => reports)).length
  return { servers, checks: [...checks, ...(await cacheChecks(urls, query, key, processCount))] }
}

async function sample(url: string, query: QueryServer, key: string): Promise<ExaminedServer> {
  try {
    const reports: ServerReport[] = []
    for (let n = 0; n < samples; n++) reports.push(await query(url, 'report', key))
    return { url, reports, problem: null }
  } catch (error) {
    return { url, reports: [], problem: (error as Error).message }
  }
}

function processesOf(reports: readonly ServerReport[]): string[] {
  return [...new Set(reports.map(({ report }) => report.instance))]
}

/** Writes at the first server, reads at all; invalidates at the first, and waits for all. */
async function cacheChecks(
  urls: readonly string[],
  query: QueryServer,
  key: string,
  processCount: number,
): Promise<Check[]> {
  const readRow = async (url: string) => {
    const found: boolean[] = []
    for (let n = 0; n < readsInRow; n++) {
      found.push((await query(url, 'read', key)).report.hasEntry === true)
    }
    return found
  }
  const [first = ''] = urls
  await query(first, 'write', key)
  const missing: string[] = []
  for (const url of urls) if ((await readRow(url)).includes(false)) missing.push(url)
  const shared = checkSharedCache(missing, processCount)
  if (missing.length > 0) return [shared]

  await query(first, 'invalidate', key)
  const sinceMs = performance.now()
  // Milliseconds until some reads in a row find nothing.
  const latencyOf = async (url: string) => {
    while (performance.now() - sinceMs < maxWaitMs) {
      const readAtMs = performance.now()
      if (!(await readRow(url)).includes(true)) return Math.round(readAtMs - sinceMs)
      await sleep(pollMs)
    }
    return null
  }
  return [shared, checkInvalidation(urls, await Promise.all(urls.map(latencyOf)))]
}
