import { brotliCompressSync, constants } from 'node:zlib'
import {
  navigationFromHeader,
  payloadUrl,
  prefetchHeader,
  prefetchPurpose,
  wholePrefetch,
} from 'waymark/plugin/node'
import type { BuildFacts, InterceptionFacts, RouteFacts } from '../build/buildFacts.ts'
import { accessProperties, isOpen } from '../contract/access.ts'
import { noRule } from '../contract/cacheControl.ts'
import type { ContractEntry } from '../contract/contractFile.ts'
import type { Finding } from '../contract/finding.ts'
import { formatKilobytes } from '../contract/sizes.ts'
import type { ProbeResponse } from './exchange.ts'
import { type FindSamples, noSample, type Sample } from './samples.ts'
import { describeResponse, runAll, type Sender } from './sender.ts'
import { findSharedContent } from './sharedContent.ts'

export type ProbedApp = {
  readonly facts: BuildFacts
  readonly sender: Sender
  readonly findSamples: FindSamples
  /** Personas that couldn't sign in. */
  readonly absent: readonly string[]
  /** Tells for each path if proxy.ts, or `around` in server.ts, runs before the page. */
  readonly proxied: (pathnames: readonly string[]) => Promise<readonly boolean[]>
  /** Adds an entry to the contract. */
  readonly add: (entry: ContractEntry) => void
  /** Records what couldn't be tried, and why. */
  readonly addUnproven: (title: string, reason: string) => void
  /** Records a problem; `null` for none. */
  readonly addFinding: (finding: Finding | null) => void
  /** Describes how a page is rendered and how large it is, from the build. */
  readonly buildProperties: (file: string) => Readonly<Record<string, string>>
}

/** Requests all pages as all personas: the document, the page data, and a prefetch. */
export async function probePages(app: ProbedApp): Promise<void> {
  const pages = app.facts.routes.filter(({ kind }) => kind === 'page')
  await runAll(pages, (page) => probePage(page, app))
  await runAll(app.facts.interceptions, (each) => probeInterception(each, app))
}

async function probePage(page: RouteFacts, app: ProbedApp): Promise<void> {
  const { sender, findSamples } = app
  const samples = findSamples(page)
  if (samples.length === 0) app.addUnproven(`page ${page.pattern}`, noSample(page.pattern))
  const table = new Map<string, Map<string, string>>()
  let shown: ProbeResponse | null = null
  let shownData: ProbeResponse | null = null
  for (const { label, path } of samples) {
    const responses = new Map<string, ProbeResponse>()
    const tried = await Promise.all(
      sender.personas.map(async (persona) => ({
        persona,
        document: await sender.send({ persona, path }),
        data: await sender.send({ persona, ...dataRequest(path) }),
        prefetch: await sender.send({ persona, ...dataRequest(path, prefetchHeaders) }),
      })),
    )
    for (const { persona, document, data, prefetch } of tried) {
      const outcome = describeResponse(document)
      responses.set(persona, data)
      setCell(table, label, persona, outcome)
      setCell(table, withLabel(label, 'data'), persona, describeResponse(data))
      setCell(table, withLabel(label, 'prefetch'), persona, describeResponse(prefetch))
      if (isOpen(outcome)) {
        shown ??= document
        shownData ??= data
      }
    }
    dropEqual(table, label)
    const title = `The page data of ${page.pattern}`
    const request = dataRequest(path)
    app.addFinding(await findSharedContent(title, request, responses, { ...page, sender }))
  }
  app.add({
    kind: 'page',
    name: page.pattern,
    properties: {
      ...accessProperties(table, app.absent),
      ...layoutProperties(page),
      ...(await proxyProperties(samples, app)),
      ...app.buildProperties(page.file),
      ...(page.exports.includes('live') ? { live: 'yes' } : {}),
      ...(shown && shownData
        ? {
            cache: shown.headers.get('cache-control') ?? noRule,
            content: `${compressedSize(shown)} document, ${compressedSize(shownData)} page data`,
          }
        : {}),
    },
  })
}

async function probeInterception(page: InterceptionFacts, app: ProbedApp): Promise<void> {
  const { sender, findSamples, facts } = app
  const name = `${page.pattern} from ${page.from}`
  const ofPattern = (pattern: string) => facts.routes.find((route) => route.pattern === pattern)
  const target = ofPattern(page.pattern) ?? { pattern: page.pattern, pathnames: [] }
  const from = findStart(page, app)
  const samples = findSamples(target)
  if (from === null || samples.length === 0) {
    app.addUnproven(`preview ${name}`, noSample(from === null ? page.from : page.pattern))
  }
  const table = new Map<string, Map<string, string>>()
  for (const { label, path } of samples) {
    if (from === null) break
    for (const persona of sender.personas) {
      const request = dataRequest(path, { [navigationFromHeader]: from })
      setCell(table, label, persona, describeResponse(await sender.send({ persona, ...request })))
    }
  }
  app.add({
    kind: 'preview',
    name,
    properties: { ...accessProperties(table, app.absent), ...layoutProperties(page) },
  })
}

function compressedSize({ body }: ProbeResponse): string {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return formatKilobytes(brotliCompressSync(body, { params: quality }).byteLength)
}

/** Finds the path of a page below the pattern from which a navigation must start. */
function findStart({ from }: InterceptionFacts, { facts, findSamples }: ProbedApp): string | null {
  const below = from === '/' ? '/' : `${from}/`
  const pages = facts.routes.filter(
    ({ kind, pattern }) => kind === 'page' && (pattern === from || pattern.startsWith(below)),
  )
  const exact = pages.filter(({ pattern }) => pattern === from)
  for (const page of [...exact, ...pages]) {
    const [sample] = findSamples(page)
    if (sample) return new URL(sample.path, 'http://localhost').pathname
  }
  return null
}

const [purpose, prefetch] = prefetchPurpose
const prefetchHeaders = { [prefetchHeader]: wholePrefetch, [purpose]: prefetch }

function dataRequest(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { pathname, search } = new URL(path, 'http://localhost')
  return {
    path: payloadUrl(pathname, search),
    headers: { accept: 'text/x-component', ...headers },
  }
}

function withLabel(label: string, how: string): string {
  return label === '' ? how : `${label}, ${how}`
}

function setCell(
  table: Map<string, Map<string, string>>,
  how: string,
  persona: string,
  value: string,
): void {
  const row = table.get(how) ?? new Map<string, string>()
  table.set(how, row.set(persona, value))
}

/**
 * Removes the lines for prefetches if they say the same as the lines for page data, and those if
 * they say the same as the document's lines.
 */
function dropEqual(table: Map<string, Map<string, string>>, label: string): void {
  const [data, prefetch] = [withLabel(label, 'data'), withLabel(label, 'prefetch')]
  for (const [how, like] of [[prefetch, data] as const, [data, label] as const]) {
    const row = [...(table.get(how) ?? [])]
    const isEqual = row.every(([persona, value]) => {
      return sameAccess(table.get(like)?.get(persona) ?? '', value)
    })
    if (isEqual) table.delete(how)
  }
}

// The server responds with 204 to a prefetch if it has nothing to send before the click.
function sameAccess(document: string, data: string): boolean {
  return document === data || data === '204'
}

/** Tells if proxy.ts runs before a route. */
export async function proxyProperties(
  [sample]: readonly Sample[],
  { proxied }: Pick<ProbedApp, 'proxied'>,
): Promise<Record<string, string>> {
  const pathname = sample ? new URL(sample.path, 'http://localhost').pathname : null
  const [isProxied] = pathname === null ? [] : await proxied([pathname])
  return isProxied ? { proxy: 'yes' } : {}
}

function layoutProperties({ layouts }: Pick<RouteFacts, 'layouts'>): Record<string, string> {
  return layouts.length === 0 ? {} : { layouts: layouts.map(({ pattern }) => pattern).join(', ') }
}
