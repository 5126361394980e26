import { setTimeout as sleep } from 'node:timers/promises'
import type { ClosedPath, ServedAssets } from 'waymark/plugin'
import type { DoctorQuestion, DoctorReport } from './proof.ts'

/** @throws an error with a message for the user of the command */
export type QueryServer = (
  url: string,
  question: DoctorQuestion,
  key: string,
) => Promise<ServerReport>

export type ServerReport = {
  readonly report: DoctorReport
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

/** Result of checking one property in which servers must agree. */
export type Check = {
  readonly name:
    | 'build'
    | 'keyRing'
    | 'actions'
    | 'clock'
    | 'cache'
    | 'invalidation'
    | 'assets'
    | 'files'
  readonly isOk: boolean
  readonly text: string
  readonly details: readonly string[]
  /** The measured duration, if the check measures one. */
  readonly ms?: number
}

type Server = {
  readonly url: string
  readonly reports: readonly ServerReport[]
  /** `null` if the server responded. */
  readonly problem: string | null
}

export type Findings = { readonly servers: readonly Server[]; readonly checks: readonly Check[] }

// Number of queries per URL. Several are needed, because several processes may serve one URL.
const samples = 8
const readsInRow = 4
const pollMs = 10
const maxWaitMs = 5_000

// Maximum difference between clocks. The clock of the server that reads an entry decides if the entry
// has expired.
const maxClockMs = 1_000
const maxInvalidationMs = 1_000

export type DoctorTools = {
  readonly query: QueryServer
  readonly hasAsset: (origin: string, name: string) => Promise<boolean>
  /**
   * Lists the URLs of the scripts and style sheets in a server's page at `/`.
   * @returns `null` if the server doesn't respond
   */
  readonly filesOfPage: (url: string) => Promise<readonly string[] | null>
  /** @returns the status of a file; `null` if there is no response */
  readonly statusOf: (url: string) => Promise<number | null>
  /** Host of the assets; `null` if the servers serve the assets themselves. */
  readonly assetsAt: string | null
}

/** @param key name of the cache entry that the check writes */
export async function examine(
  urls: readonly string[],
  tools: DoctorTools,
  key: string,
): Promise<Findings> {
  const { query } = tools
  const servers = await Promise.all(urls.map((url) => sample(url, query, key)))
  if (servers.some(({ problem }) => problem !== null)) return { servers, checks: [] }
  const cacheChecks = await checkCache(servers, query, key)
  const hasOneCache = cacheChecks.every(({ name, isOk }) => name !== 'cache' || isOk)
  const checks = [
    checkSame('build', 'build id', servers, ({ buildId }) => buildId),
    checkSame('keyRing', 'key ring', servers, ({ keyRing }) => keyRing.join(' ')),
    checkSame('actions', 'action ids', servers, ({ actionIds }) => actionIds),
    checkClocks(servers),
    ...cacheChecks,
    await checkAssets(urls, tools, { key, hasOneCache }),
    await checkFiles(urls, tools, key),
  ]
  return { servers, checks }
}

async function sample(url: string, query: QueryServer, key: string): Promise<Server> {
  const reports: ServerReport[] = []
  try {
    while (reports.length < samples) reports.push(await query(url, 'report', key))
    return { url, reports, problem: null }
  } catch (error) {
    return { url, reports: [], problem: (error as Error).message }
  }
}

function checkSame(
  name: Check['name'],
  label: string,
  servers: readonly Server[],
  read: (report: DoctorReport) => string,
): Check {
  const values = distinct(servers, read)
  if (values.length === 1)
    return { name, isOk: true, text: `same ${label}: ${values[0]}`, details: [] }
  const details = servers.map((server) => `${server.url}: ${distinct([server], read).join(', ')}`)
  return { name, isOk: false, text: `${values.length} different ${label}s`, details }
}

export function processesOf(servers: readonly Server[]): string[] {
  return distinct(servers, ({ instance }) => instance)
}

function distinct(servers: readonly Server[], read: (report: DoctorReport) => string): string[] {
  const reports = servers.flatMap((server) => server.reports)
  return [...new Set(reports.map(({ report }) => read(report)))]
}

function checkClocks(servers: readonly Server[]): Check {
  const offsets = servers.map(({ reports }) => clockOffsetMs(reports))
  const ms = Math.round(Math.max(...offsets) - Math.min(...offsets))
  const isOk = ms <= maxClockMs
  const details = servers.map(
    ({ url }, at) => `${url}: ${Math.round(offsets[at] ?? 0)} ms from here`,
  )
  return { name: 'clock', isOk, text: `clocks ${ms} ms apart`, details: isOk ? [] : details, ms }
}

/** Estimates the offset from the fastest exchange, assuming that the server read its clock halfway. */
export function clockOffsetMs(reports: readonly ServerReport[]): number {
  const roundTripMs = ({ sentAtMs, receivedAtMs }: ServerReport) => receivedAtMs - sentAtMs
  const [fastest] = [...reports].sort((a, b) => roundTripMs(a) - roundTripMs(b))
  return fastest ? fastest.report.timeMs - (fastest.sentAtMs + roundTripMs(fastest) / 2) : 0
}

/**
 * Writes an entry on the first server and reads the entry on all servers. Then invalidates the entry and
 * measures how soon all servers notice.
 */
async function checkCache(
  servers: readonly Server[],
  query: QueryServer,
  key: string,
): Promise<Check[]> {
  const urls = servers.map(({ url }) => url)
  const [first = ''] = urls
  /** Counts hits in several reads in a row. */
  const countHits = async (url: string) => {
    let hits = 0
    for (let n = 0; n < readsInRow; n++) {
      if ((await query(url, 'read', key)).report.hasEntry) hits++
    }
    return hits
  }
  await query(first, 'write', key)
  const missing: string[] = []
  for (const url of urls) if ((await countHits(url)) < readsInRow) missing.push(url)
  if (missing.length > 0) {
    const details = missing.map((url) => `${url} does not have the entry`)
    return [{ name: 'cache', isOk: false, text: 'not all servers use the same cache', details }]
  }
  const { length: count } = processesOf(servers)
  const text = `one cache for all (${count} ${count === 1 ? 'process' : 'processes'})`

  await query(first, 'invalidate', key)
  const sinceMs = performance.now()
  const measureLatency = async (url: string) => {
    while (performance.now() - sinceMs < maxWaitMs) {
      const readAtMs = performance.now()
      if ((await countHits(url)) === 0) return Math.round(readAtMs - sinceMs)
      await sleep(pollMs)
    }
    return null
  }
  const latencies = await Promise.all(urls.map(measureLatency))
  return [{ name: 'cache', isOk: true, text, details: [] }, checkInvalidation(urls, latencies)]
}

/** @param latencies `null` for a server that didn't notice in time */
function checkInvalidation(urls: readonly string[], latencies: readonly (number | null)[]): Check {
  const ms = Math.max(...latencies.map((each) => each ?? Number.POSITIVE_INFINITY))
  const isOk = ms <= maxInvalidationMs
  const details = isOk
    ? []
    : urls.map((url, at) => `${url}: ${latencies[at] ?? `more than ${maxWaitMs}`} ms`)
  return Number.isFinite(ms)
    ? {
        name: 'invalidation',
        isOk,
        text: `all servers saw an invalidation within ${ms} ms`,
        details,
        ms,
      }
    : { name: 'invalidation', isOk, text: 'not all servers saw an invalidation', details }
}

// Number of assets to check per build. A server that lacks one asset of a build usually lacks all of the
// build's assets.
const assetSamples = 3

/** Checks that every server has the assets of every build's pages. */
async function checkAssets(
  urls: readonly string[],
  { query, hasAsset, assetsAt }: DoctorTools,
  { key, hasOneCache }: { readonly key: string; readonly hasOneCache: boolean },
): Promise<Check> {
  const all = await Promise.all(
    urls.map(async (url) => ({ url, assets: (await query(url, 'assets', key)).report.assets })),
  )
  const details: string[] = []
  const lookFor = async (origin: string, names: readonly string[], of: string) => {
    for (const name of names.slice(0, assetSamples)) {
      if (!(await hasAsset(origin, name))) details.push(`${origin} doesn't have ${name} from ${of}`)
    }
  }
  for (const { url, assets } of all) {
    if (assetsAt !== null) {
      await lookFor(assetsAt, newestFirst(assets?.names ?? [], all, url), url)
      continue
    }
    // Don't report servers that share a cache but no assets: they run from the same folder, and so serve
    // the same build.
    if (urls.length > 1 && assets?.sharedIn === null && !hasOneCache) {
      details.push(`${url} doesn't have the assets of other builds`)
    }
    for (const other of all) {
      const others = new Set(other.assets?.names)
      const missing = assets?.names.filter((name) => !others.has(name)) ?? []
      await lookFor(other.url, missing, url)
    }
  }
  if (details.length === 0) return { name: 'assets', isOk: true, text: assetsText, details }
  return { name: 'assets', isOk: false, text: lackText, details: [...details, lackHint] }
}

const assetsText = 'every server has the code of every build'
const lackText =
  "while a new build is deployed, a page may request its code from a server that doesn't have it"
const lackHint =
  'Set WAYMARK_REDIS_URL, start with --shared-assets, or run waymark assets push for each build.'

/** Sorts the assets: first the assets that no other server has, then the shared ones. */
function newestFirst(
  names: readonly string[],
  all: readonly { readonly url: string; readonly assets: ServedAssets | null }[],
  url: string,
): readonly string[] {
  const common = new Set(
    all.flatMap((each) => (each.url === url ? [] : (each.assets?.names ?? []))),
  )
  return [...names].sort((a, b) => Number(common.has(a)) - Number(common.has(b)))
}

// Maximum number of failed files to list per server, because usually all files fail for the same reason.
const maxListed = 3

/**
 * Checks the files of the page at `/`. Without them, a page looks healthy to a load balancer but works
 * for nobody.
 */
async function checkFiles(
  urls: readonly string[],
  { query, filesOfPage, statusOf }: DoctorTools,
  key: string,
): Promise<Check> {
  const details: string[] = []
  let count = 0
  for (const url of urls) {
    const files = await filesOfPage(url)
    if (files === null) {
      details.push(`${url}: the page at / did not respond`)
      continue
    }
    const statuses = await Promise.all(
      files.map(async (file) => ({ file, status: await statusOf(file) })),
    )
    const failed = statuses.filter(({ status }) => status !== 200)
    count += files.length
    details.push(...failed.slice(0, maxListed).map(describeFailure))
    if (failed.length > maxListed) details.push(`and ${failed.length - maxListed} more from ${url}`)
    if (failed.some(({ status }) => status === 403)) {
      const { assets } = (await query(url, 'assets', key)).report
      details.push(...explainForbidden(assets?.closed ?? []))
    }
  }
  if (details.length > 0) {
    const text = 'a page uses scripts or style sheets that browsers can’t fetch'
    return { name: 'files', isOk: false, text, details: [...new Set(details)] }
  }
  const text = `all scripts and style sheets of the page at / can be fetched (${count})`
  return { name: 'files', isOk: true, text, details }
}

function describeFailure({ file, status }: { file: string; status: number | null }): string {
  return `${file}: ${status === null ? 'no response' : `status ${status}`}`
}

/** @returns one line per path whose file mode is too strict, with the command that changes it */
function explainForbidden(closed: readonly ClosedPath[]): string[] {
  if (closed.length === 0) {
    return [
      "Every user of the machine can read this build's files, so the status 403 comes from the web server's configuration. Check that configuration.",
    ]
  }
  return closed.map(({ path, isFolder }) => {
    const lack = isFolder ? 'enter' : 'read'
    const argument = isFolder ? 'o+x' : 'o+r'
    return `The web server's user may not ${lack} ${path}. Run: chmod ${argument} ${quoteForShell(path)}`
  })
}

function quoteForShell(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
