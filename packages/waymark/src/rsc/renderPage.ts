import type { ReactNode } from 'react'
import type { HeaderLines } from '../shared/answer.ts'
import type { Payload, PayloadOutcome } from '../shared/payload.ts'
import { loadReplacement, type Replacement } from './fallbacks.ts'
import { type FlightRender, renderFlight } from './flight.ts'
import { createGate, type Failure } from './gate.ts'
import { type Head, renderHead } from './head.ts'
import { type Decision, decide } from './outcome.ts'
import type { PageApp, PageRequest } from './page.ts'
import { filesOf } from './routeFiles.ts'
import type { RouteFile } from './routeModules.ts'
import { dynamicValue } from './scope.ts'
import { type Place, type RenderedSegments, renderSegments } from './segments.ts'

/** A page whose deciders have come to an end, or whose time for that is over. */
export type PageRender = {
  readonly decision: Decision
  readonly status: number
  readonly headers: HeaderLines
  readonly flight: FlightRender
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  readonly onError: (thrown: unknown) => string
}

/**
 * Renders a page as far as its status needs.
 * @param failed what an earlier try of the same page threw: its error screen is rendered
 */
export async function renderPage(
  page: PageRequest,
  app: PageApp,
  failed: unknown,
): Promise<PageRender> {
  const files = await loadFiles(page, app)
  const gate = createGate<Place | null>(({ thrown }) => {
    throw thrown
  })
  const fileOf = (path: string) => files.get(path) as RouteFile
  const searchParams = dynamicValue(page.scope, 'searchParams', searchParamsOf(page.search))
  const rendered = renderSegments(page.match.root, {
    gate,
    fileOf,
    searchParams,
    held: page.held,
  })
  const head = renderHead(
    { ...page, root: page.match.root, fileOf, searchParams },
    app.resolveMetadata,
  )
  if (head instanceof Promise) gate.follow(rendered.pagePlace, head)
  const onError = (thrown: unknown) => app.report(thrown, page)
  const known: Failure<Place | null>[] = failed
    ? [{ thrown: failed, place: rendered.pagePlace }]
    : []
  const settle = () => conclude(decide([...known, ...gate.failures]), { rendered, head, page, app })

  let concluded: Conclusion | Promise<Conclusion> | undefined
  const conclusion = () => {
    concluded ??= gate.settled ? settle() : gate.whenSettled.then(settle)
    return concluded
  }
  let outcome: Payload['outcome'] | undefined
  const payload: Payload = {
    segments: rendered.segments,
    guards: rendered.guards,
    // React reads it after `segments`: by then, deciders that waited for nothing have settled.
    get outcome() {
      outcome ??= outcomeOf(conclusion())
      return outcome
    },
  }
  const flight = renderFlight(payload, onError)
  await settledBefore(gate, app.statusDeadlineMs)
  const { decision, replacement } = await conclusion()
  return {
    decision,
    flight,
    onError,
    status: replacement?.status ?? page.status,
    headers: replacement?.headers ?? [],
  }
}

type Conclusion = {
  readonly decision: Decision
  readonly replacement: Replacement | null
  readonly outcome: PayloadOutcome
}

function outcomeOf(conclusion: Conclusion | Promise<Conclusion>): Payload['outcome'] {
  return conclusion instanceof Promise
    ? conclusion.then(({ outcome }) => outcome)
    : conclusion.outcome
}

function conclude(
  decision: Decision,
  {
    rendered,
    head,
    page,
    app,
  }: {
    rendered: RenderedSegments
    head: Head | Promise<Head>
    page: PageRequest
    app: PageApp
  },
): Conclusion | Promise<Conclusion> {
  const { pathname, search, match } = page
  const route = { pathname, search, params: match.params }
  if (decision.kind === 'page') {
    return {
      decision,
      replacement: null,
      outcome: { tree: rendered.tree, head: head as ReactNode, route },
    }
  }
  if (decision.kind === 'redirect') {
    return { decision, replacement: null, outcome: { tree: { key: '' }, head: null, route } }
  }
  return loadReplacement(decision, rendered, page, app).then((replacement) => ({
    decision,
    replacement,
    outcome: { ...replacement.outcome, route },
  }))
}

async function settledBefore(
  gate: { settled: boolean; whenSettled: Promise<void>; close(): void },
  deadlineMs: number,
): Promise<void> {
  // React begins in a microtask: a page that waits for nothing needs no timer.
  await null
  if (!gate.settled) {
    const deadline = setTimeout(gate.close, deadlineMs)
    await gate.whenSettled
    clearTimeout(deadline)
  }
  gate.close()
}

async function loadFiles(page: PageRequest, { modules }: PageApp): Promise<Map<string, RouteFile>> {
  const files = new Map<string, RouteFile>()
  for (const path of filesOf(page.match.root)) {
    const file = modules.load(path)
    files.set(path, file instanceof Promise ? await file : file)
  }
  return files
}

function searchParamsOf(search: string): Record<string, string | string[]> {
  const params: Record<string, string | string[]> = {}
  if (search === '') return params
  const parsed = new URLSearchParams(search)
  for (const name of new Set(parsed.keys())) {
    const values = parsed.getAll(name)
    Object.defineProperty(params, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
    })
  }
  return params
}
