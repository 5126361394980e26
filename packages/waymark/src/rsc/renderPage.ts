import type { MatchedSegment } from '../routing/matched.ts'
import type { HeaderLines } from '../shared/answer.ts'
import type { Payload } from '../shared/payload.ts'
import { type Conclusion, conclude, type OpenPage } from './conclusion.ts'
import { ends, endsSoon, type FlightRender, renderFlight } from './flight.ts'
import { createGate, type Failure, type Gate } from './gate.ts'
import { renderHead } from './head.ts'
import { renderLate } from './late.ts'
import { type Decision, decide } from './outcome.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { filesOf } from './routeFiles.ts'
import type { RouteFile } from './routeModules.ts'
import { dynamicValue } from './scope.ts'
import { type Place, renderSegments } from './segments.ts'

/** A page whose deciders have come to an end, or whose time for that is over. */
export type PageRender = {
  readonly decision: Decision
  readonly status: number
  readonly headers: HeaderLines
  /** The theme that the shown files insist on. */
  readonly theme: string | null
  readonly flight: FlightRender
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  readonly onError: (thrown: unknown) => string
}

type KnownFailure = { readonly thrown: unknown }

/**
 * Renders a page as far as its status needs.
 * @param failed what an earlier try of the same page threw: its error screen is rendered
 */
export async function renderPage(
  page: PageRequest,
  app: PageApp,
  failed: KnownFailure | null,
): Promise<PageRender> {
  const { missed, ...render } = await tryPage(page, app, failed)
  if (!missed) return render
  // Nothing was sent yet: what a component below the deciders threw can still be the answer.
  render.flight.abandon()
  return tryPage(page, app, missed)
}

async function tryPage(
  page: PageRequest,
  app: PageApp,
  failed: KnownFailure | null,
): Promise<PageRender & { readonly missed: KnownFailure | null }> {
  const files = loadFiles(page, app)
  const gate = createGate<Place | null>((failure) => renderLate(failure, page, app))
  page.scope.hold = gate.hold
  const open = openPage(page, app, gate, files instanceof Promise ? await files : files)
  const { rendered } = open
  const known = failed ? [{ ...failed, place: rendered.pagePlace }] : []
  const conclusion = once(() => concludeWhenSettled(open, gate, known))
  const outcome = once(() => {
    const drawn = conclusion()
    return drawn instanceof Promise ? drawn.then((done) => done.outcome) : drawn.outcome
  })
  const payload: Payload = {
    segments: rendered.segments,
    guards: rendered.guards,
    // React reads it after `segments`: by then, deciders that waited for nothing have settled.
    get outcome() {
      return outcome()
    },
  }
  const onError = (thrown: unknown) => {
    gate.add({ thrown, place: rendered.pagePlace })
    return app.report(thrown, page)
  }
  const flight = renderFlight(payload, onError)
  const deadlineMs = deadlineOf(page, open, app)
  await settledBefore(gate, deadlineMs)
  const drawn = conclusion()
  const concluded = drawn instanceof Promise ? await drawn : drawn
  const { decision, replacement } = concluded
  const decided = gate.failures.length
  await (deadlineMs === Number.POSITIVE_INFINITY ? ends(flight.channel) : endsSoon(flight.channel))
  gate.close()
  const missed = decision.kind === 'page' ? (gate.failures[decided] ?? null) : null
  const { status = page.status, headers = [] } = replacement ?? {}
  const theme = concluded.outcome.theme ?? null
  return { decision, flight, onError, status, headers, theme, missed }
}

/** How long the status waits: for those who read nothing but the first answer, as it takes. */
function deadlineOf(page: PageRequest, { ownDeadlineMs }: OpenPage, app: PageApp): number {
  return page.isPatient ? Number.POSITIVE_INFINITY : (ownDeadlineMs ?? app.statusDeadlineMs)
}

function openPage(
  page: PageRequest,
  app: PageApp,
  gate: Gate<Place | null>,
  files: ReadonlyMap<string, RouteFile>,
): OpenPage {
  const { root } = page.match
  const fileOf = (path: string) => files.get(path) as RouteFile
  const searchParams = dynamicValue(page.scope, 'searchParams', searchParamsOf(page.search))
  const rendered = renderSegments(root, { gate, fileOf, searchParams, held: page.held })
  const { origin, pathname } = page
  const head = renderHead({ root, fileOf, origin, pathname, searchParams }, app.resolveMetadata)
  if (head instanceof Promise) gate.follow(rendered.pagePlace, head)
  return { page, app, fileOf, rendered, head, ownDeadlineMs: statusDeadlineOf(root, fileOf) }
}

/** What the innermost file of a route exports as `statusDeadlineMs`. */
function statusDeadlineOf(
  segment: MatchedSegment | undefined,
  fileOf: (path: string) => RouteFile,
): number | null {
  if (!segment) return null
  const isFolder = segment.kind === 'folder'
  const inner = isFolder ? statusDeadlineOf(segment.slots.children, fileOf) : null
  const path = isFolder ? segment.node.files.layout : segment.page
  const own = path && !segment.background ? fileOf(path).module.statusDeadlineMs : null
  return inner ?? (typeof own === 'number' && own >= 0 ? own : null)
}

function concludeWhenSettled(
  open: OpenPage,
  gate: Gate<Place | null>,
  known: readonly Failure<Place | null>[],
): Conclusion | Promise<Conclusion> {
  const draw = () => conclude(decide([...known, ...gate.failures]), open)
  return gate.settled ? draw() : gate.whenSettled.then(draw)
}

async function settledBefore(gate: Gate<Place | null>, deadlineMs: number): Promise<void> {
  // React begins in a microtask: a page that waits for nothing but its own params needs no timer.
  for (let turn = 0; turn < 12 && !gate.settled; turn++) await null
  if (gate.settled) return
  // Beyond 24 days, a timer would fire at once: waiting for ever needs none.
  const deadline = Number.isFinite(deadlineMs) ? setTimeout(gate.close, deadlineMs) : undefined
  await gate.whenSettled
  clearTimeout(deadline)
}

/** @returns the files themselves when all were loaded before */
function loadFiles(
  { match }: PageRequest,
  { modules }: PageApp,
): Map<string, RouteFile> | Promise<Map<string, RouteFile>> {
  const files = filesOf(match.root).map(modules.load)
  const keep = (loaded: RouteFile[]) => new Map(loaded.map((file) => [file.file, file]))
  return files.some((file) => file instanceof Promise)
    ? Promise.all(files).then(keep)
    : keep(files as RouteFile[])
}

function searchParamsOf(search: string): Record<string, string | string[]> {
  const params: Record<string, string | string[]> = {}
  if (search === '') return params
  const parsed = new URLSearchParams(search)
  for (const name of new Set(parsed.keys())) {
    const values = parsed.getAll(name)
    const [first = ''] = values
    // Defined, not assigned: a query may hold `__proto__`.
    const value = values.length === 1 ? first : values
    Object.defineProperty(params, name, { value, enumerable: true })
  }
  return params
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
