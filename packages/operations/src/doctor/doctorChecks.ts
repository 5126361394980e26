import { setTimeout as sleep } from 'node:timers/promises'
import type { ServedAssets } from 'waymark/plugin'
import { type Check, type CheckName, distinct, failed, insideChecks, passed } from './check.ts'
import {
  checkFiles,
  checkNotFound,
  checkSeenBuilds,
  checkSkew,
  finishDeploy,
  lookAtServer,
  type OutsideTools,
  type SeenServer,
} from './outside.ts'
import type { DoctorQuestion, DoctorReport } from './proof.ts'
import { checkStreams, type OpenStream } from './streams.ts'

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

type Server = {
  readonly url: string
  /** Empty without the servers' secret. */
  readonly reports: readonly ServerReport[]
  /** `null` if the server can't be reached. */
  readonly seen: SeenServer | null
  /** `null` if the server responded. */
  readonly problem: string | null
}

export type Findings = {
  readonly servers: readonly Server[]
  readonly checks: readonly Check[]
  readonly skipped: readonly CheckName[]
}

// Number of queries per URL. Several are needed, because several processes may serve one URL.
const samples = 8
const readsInRow = 4
const pollMs = 10
const maxWaitMs = 5_000

// Maximum difference between clocks. The clock of the server that reads an entry decides if the entry
// has expired.
const maxClockMs = 1_000
const maxInvalidationMs = 1_000

/** Requests that only somebody with the servers' secret can send. */
export type InsideTools = { readonly query: QueryServer; readonly openStream: OpenStream }

export type DoctorTools = {
  /** `null` without the servers' secret. */
  readonly inside: InsideTools | null
  readonly outside: OutsideTools
  /** Host of the assets; `null` if the servers serve the assets themselves. */
  readonly assetsAt: string | null
  /** Variables that the app's `.env` files set, with their fingerprints. */
  readonly variables: readonly NamedVariable[]
}

export type NamedVariable = {
  readonly name: string
  readonly file: string
  readonly fingerprint: string
}

/** @param key name of the cache entry that the check writes */
export async function examine(
  urls: readonly string[],
  tools: DoctorTools,
  key: string,
): Promise<Findings> {
  const servers = await Promise.all(urls.map((url) => sample(url, tools, key)))
  const seen = servers.flatMap((server) => server.seen ?? [])
  const inside = servers.every(({ problem }) => problem === null) ? tools.inside : null
  const insideResults = inside ? await examineInside(servers, { ...tools, inside }, key) : []
  const closedPaths = async (url: string) =>
    inside ? ((await inside.query(url, 'assets', key)).report.assets?.closed ?? []) : null
  const checks =
    seen.length === 0
      ? []
      : [
          inside
            ? checkSame(
                'build',
                { label: 'build id', remedy: finishDeploy },
                servers,
                ({ buildId }) => buildId,
              )
            : checkSeenBuilds(seen),
          ...insideResults,
          await checkFiles(seen, tools.outside, closedPaths),
          await checkNotFound(
            [tools.assetsAt ?? seen.map(({ url }) => url)].flat(),
            tools.outside,
            key,
          ),
          checkSkew(seen),
        ]
  return { servers, checks, skipped: inside ? [] : insideChecks }
}

async function sample(url: string, { inside, outside }: DoctorTools, key: string): Promise<Server> {
  const reports: ServerReport[] = []
  let seen: SeenServer | null = null
  try {
    seen = await lookAtServer(url, outside)
    while (inside && reports.length < samples) reports.push(await inside.query(url, 'report', key))
    return { url, reports, seen, problem: null }
  } catch (error) {
    return { url, reports: [], seen, problem: (error as Error).message }
  }
}

async function examineInside(
  servers: readonly Server[],
  tools: DoctorTools & { readonly inside: InsideTools },
  key: string,
): Promise<Check[]> {
  const urls = servers.map(({ url }) => url)
  const { query, openStream } = tools.inside
  const cacheChecks = await checkCache(servers, query, key)
  const hasOneCache = cacheChecks.every(({ name, isOk }) => name !== 'cache' || isOk)
  return [
    checkSame('keyRing', { label: 'key ring', remedy: sameSecrets }, servers, ({ keyRing }) =>
      keyRing.join(' '),
    ),
    checkSecret(servers),
    await checkVariables(urls, tools, key),
    checkSame(
      'actions',
      { label: 'action ids', remedy: 'Deploy the same build to all servers.' },
      servers,
      ({ actionIds }) => actionIds,
    ),
    checkClocks(servers),
    ...cacheChecks,
    await checkAssets(urls, tools, { key, hasOneCache }),
    await checkStreams(urls, openStream),
  ]
}

const sameSecrets =
  'Set WAYMARK_SECRET and WAYMARK_SECRET_PREVIOUS to the same values on all servers, in the same order, and restart them.'

function checkSame(
  name: CheckName,
  { label, remedy }: { readonly label: string; readonly remedy: string },
  servers: readonly Server[],
  read: (report: DoctorReport) => string,
): Check {
  const values = valuesOf(servers, read)
  if (values.length === 1) return passed(name, `same ${label}: ${values[0]}`)
  const details = servers.map((server) => `${server.url}: ${valuesOf([server], read).join(', ')}`)
  return failed(name, `${values.length} different ${label}s`, [...details, remedy])
}

export function processesOf(servers: readonly Server[]): string[] {
  return valuesOf(servers, ({ instance }) => instance)
}

function valuesOf(servers: readonly Server[], read: (report: DoctorReport) => string): string[] {
  return distinct(servers.flatMap(({ reports }) => reports.map(({ report }) => read(report))))
}

/** A secret of a build is fine for one server. Several servers may come from different builds. */
function checkSecret(servers: readonly Server[]): Check {
  const without = servers.filter((server) =>
    valuesOf([server], ({ secretFrom }) => secretFrom).includes('build'),
  )
  if (without.length === 0) return passed('secret', 'WAYMARK_SECRET is set')
  if (processesOf(servers).length === 1) {
    const text =
      'the server uses the secret of its build. Set WAYMARK_SECRET before you add a server'
    return passed('secret', text)
  }
  return failed('secret', 'servers use the secret of their build', [
    ...without.map(({ url }) => `${url}: WAYMARK_SECRET isn't set`),
    'Generate a secret with openssl rand -base64 32, set WAYMARK_SECRET to it on all servers and for waymark build, and deploy again. Otherwise the next build in a new folder or container creates a new secret, and everybody with the image has it.',
  ])
}

/** Checks that the servers have the variables that the app's `.env` files set on this machine. */
async function checkVariables(
  urls: readonly string[],
  { inside, variables }: DoctorTools & { readonly inside: InsideTools },
  key: string,
): Promise<Check> {
  const details: string[] = []
  for (const url of variables.length === 0 ? [] : urls) {
    const { report } = await inside.query(url, 'variables', key)
    const onServer = new Set(report.variables)
    const missing = variables.filter(({ fingerprint }) => !onServer.has(fingerprint))
    details.push(...missing.map(({ name, file }) => `${url}: ${name} isn't set (it is in ${file})`))
  }
  if (details.length > 0) {
    return failed('variables', 'a server lacks variables of the app’s .env files', [
      ...details,
      "Set these variables in the server's environment, where your platform keeps them for run time and not only for the build. Then restart the server.",
    ])
  }
  const { length: count } = variables
  const text =
    count === 0 ? 'no .env file here names a variable' : `all variables of .env are set (${count})`
  return passed('variables', text)
}

function checkClocks(servers: readonly Server[]): Check {
  const offsets = servers.map(({ reports }) => clockOffsetMs(reports))
  const ms = Math.round(Math.max(...offsets) - Math.min(...offsets))
  const text = `clocks ${ms} ms apart`
  if (ms <= maxClockMs) return { ...passed('clock', text), ms }
  const details = servers.map(
    ({ url }, at) => `${url}: ${Math.round(offsets[at] ?? 0)} ms from here`,
  )
  const remedy = 'Turn on time synchronisation (NTP) on the servers whose clocks are wrong.'
  return { ...failed('clock', text, [...details, remedy]), ms }
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
    const details = missing.map((url) => `${url} doesn't have the entry that ${first} has written`)
    return [failed('cache', 'not all servers use the same cache', [...details, shareCache])]
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
  return [passed('cache', text), checkInvalidation(urls, latencies)]
}

const shareCache =
  'Set WAYMARK_REDIS_URL to the same address on all servers, and list redis() in vite.config.ts. On one machine, they can instead share a folder: WAYMARK_CACHE_DIR. Without a shared cache, each server keeps showing its own old data after a change.'

/** @param latencies `null` for a server that didn't notice in time */
function checkInvalidation(urls: readonly string[], latencies: readonly (number | null)[]): Check {
  const ms = Math.max(...latencies.map((each) => each ?? Number.POSITIVE_INFINITY))
  const isMeasured = Number.isFinite(ms)
  const text = isMeasured
    ? `all servers saw an invalidation within ${ms} ms`
    : 'not all servers saw an invalidation'
  const measured = isMeasured ? { ms } : {}
  if (ms <= maxInvalidationMs) return { ...passed('invalidation', text), ...measured }
  const details = urls.map((url, at) => `${url}: ${latencies[at] ?? `more than ${maxWaitMs}`} ms`)
  const remedy = 'Check the connection between the slow servers and the shared cache.'
  return { ...failed('invalidation', text, [...details, remedy]), ...measured }
}

// Number of assets to check per build. A server that lacks one asset of a build usually lacks all of the
// build's assets.
const assetSamples = 3

// Files of earlier builds are deleted one by one, so check more of them.
const earlierSamples = 40

/** Checks that every server has the assets of every build's pages. */
async function checkAssets(
  urls: readonly string[],
  { inside: { query }, outside, assetsAt }: DoctorTools & { readonly inside: InsideTools },
  { key, hasOneCache }: { readonly key: string; readonly hasOneCache: boolean },
): Promise<Check> {
  const all = await Promise.all(
    urls.map(async (url) => ({ url, assets: (await query(url, 'assets', key)).report.assets })),
  )
  const details: string[] = []
  const lookFor = async (origin: string, names: readonly string[], of: string) => {
    for (const name of names) {
      const response = await outside.lookAt(outside.assetUrl(origin, name))
      if (response?.status !== 200) details.push(`${origin} doesn't have ${name} from ${of}`)
    }
  }
  for (const { url, assets } of all) {
    const earlier = assets?.earlier.slice(0, earlierSamples) ?? []
    if (assetsAt !== null) {
      const names = newestFirst(assets?.names ?? [], all, url).slice(0, assetSamples)
      await lookFor(assetsAt, [...names, ...earlier], url)
      continue
    }
    await lookFor(url, earlier, 'an earlier build')
    // Don't report servers that share a cache but no assets: they run from the same folder, and so serve
    // the same build.
    if (urls.length > 1 && assets?.sharedIn === null && !hasOneCache) {
      details.push(`${url} doesn't have the assets of other builds`)
    }
    for (const other of all) {
      const others = new Set(other.assets?.names)
      const missing = assets?.names.filter((name) => !others.has(name)) ?? []
      await lookFor(other.url, missing.slice(0, assetSamples), url)
    }
  }
  if (details.length === 0) return passed('assets', 'every server has the code of every build')
  return failed('assets', lackText, [...details, lackHint])
}

const lackText =
  "while a new build is deployed, a page may request its code from a server that doesn't have it"
const lackHint =
  'Set WAYMARK_REDIS_URL, start with --shared-assets, or run waymark assets push for each build. Keep the files of earlier builds: build with --assets-from, and delete nothing from .waymark/client.'

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
