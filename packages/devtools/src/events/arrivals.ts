import { type DevEvent, devtoolsLoad } from './events.ts'

/** A phase during which a page load waits. */
export type ArrivalPhase = 'server' | 'gate' | 'render' | 'data' | 'code' | 'styles'

/** A page load. It starts with the click on a link, or with the request for the document. */
export type Arrival = {
  readonly load: string
  /** URL of the page, without the values in its query. */
  readonly url: string
  /** `document`, or the router's kind of navigation: `push`, `replace`, `traverse` or `refresh`. */
  readonly kind: string
  readonly startedAtMs: number
  /** `null` while the page is loading. */
  readonly endedAtMs: number | null
  /** Outcome of the load. `notice`: the page arrived, but only after a notice. */
  readonly outcome: 'pending' | 'arrived' | 'screen' | 'notice' | 'failed'
  /** HTTP status of the page's own response. */
  readonly status: number | null
  readonly digests: readonly string[]
  /** True if the page had been prefetched. */
  readonly isPrefetched: boolean
  readonly retries: number
  /**
   * Milliseconds that each phase took. Phases may overlap. `server` is the time until the response
   * starts.
   */
  readonly phases: Readonly<Partial<Record<ArrivalPhase, number>>>
  /** The phase that took longest. */
  readonly waitedFor: ArrivalPhase | null
  /** `Server-Timing` of the page's own response. */
  readonly timing: Readonly<Record<string, number>>
  readonly events: readonly DevEvent[]
}

/**
 * Groups events by page load, oldest load first. Omits events that no page load has caused, such as
 * unused prefetches.
 */
export function arrivals(events: readonly DevEvent[]): Arrival[] {
  const loads = new Map<string, DevEvent[]>()
  const seen = new Set<string>()
  for (const event of events) {
    if (event.load === null || event.load === devtoolsLoad || seen.has(event.id)) continue
    seen.add(event.id)
    loads.set(event.load, [...(loads.get(event.load) ?? []), event])
  }
  const arrivalsOrNull = [...loads].map(([load, loadEvents]) => arrivalOf(load, loadEvents))
  return arrivalsOrNull
    .filter((each) => each !== null)
    .sort((a, b) => a.startedAtMs - b.startedAtMs)
}

function arrivalOf(load: string, unsorted: readonly DevEvent[]): Arrival | null {
  const events = unsorted.toSorted((a, b) => a.at - b.at)
  const request = ofType(events, 'request').find(({ kind }) => isPageRequest(kind))
  const states = ofType(events, 'navigation')
  const start = states.find(({ state }) => state === 'start')
  const first = start ?? request
  if (!first) return null
  const end = states.find(({ state }) => state === 'idle')
  const head = ofType(events, 'status')[0]
  const phases = phasesOf(events)
  return {
    load,
    url: request && start?.kind === 'document' ? request.url : first.url,
    kind: start?.kind ?? 'document',
    startedAtMs: Math.min(first.at, request?.at ?? first.at),
    endedAtMs: end?.at ?? (start ? null : (ofType(events, 'response')[0]?.at ?? null)),
    outcome: outcomeOf(events, start ? end : head),
    status: head?.status ?? null,
    digests: digestsOf(events),
    isPrefetched: ofType(events, 'prefetch').some(({ state }) => state === 'use'),
    retries: ofType(events, 'retry').length,
    phases,
    waitedFor: longestOf(phases),
    timing: head?.timing ?? {},
    events,
  }
}

function isPageRequest(kind: string): boolean {
  return kind === 'document' || kind === 'data'
}

function outcomeOf(events: readonly DevEvent[], end: DevEvent | undefined): Arrival['outcome'] {
  const states = ofType(events, 'navigation')
  const isFailed = states.findLast(({ state }) => state !== 'start')?.state === 'failed'
  if (isFailed) return 'failed'
  if (!end) return 'pending'
  if (end.type === 'navigation' && end.outcome !== 'committed') return 'failed'
  if ((ofType(events, 'status')[0]?.status ?? 200) >= 400) return 'screen'
  const hadNotice = states.some(({ state }) => state === 'late' || state === 'failed')
  return hadNotice ? 'notice' : 'arrived'
}

function phasesOf(events: readonly DevEvent[]): Partial<Record<ArrivalPhase, number>> {
  const phases: Partial<Record<ArrivalPhase, number>> = {}
  const add = (phase: ArrivalPhase, ms: number) => {
    phases[phase] = (phases[phase] ?? 0) + ms
  }
  const head = ofType(events, 'status')[0]
  const end = ofType(events, 'response')[0]
  if (head) add('server', head.durationMs)
  if (head && end) add('render', Math.max(0, end.durationMs - head.durationMs))
  for (const { step, durationMs } of ofType(events, 'step')) {
    if (step === 'render') add('gate', durationMs)
  }
  for (const { what, durationMs } of ofType(events, 'arrived')) add(what, durationMs)
  return phases
}

/**
 * Returns the longest phase. An inner phase is a more precise reason, so `server` and `data` are
 * only returned if no inner phase took about as long.
 */
function longestOf(phases: Partial<Record<ArrivalPhase, number>>): ArrivalPhase | null {
  const order: readonly ArrivalPhase[] = ['gate', 'render', 'code', 'styles', 'server', 'data']
  // A phase that took nearly as long as the longest one counts as equal, because one probably
  // contains the other.
  const longestMs = Math.max(0, ...Object.values(phases)) * 0.8
  return (
    order.find((phase) => (phases[phase] ?? 0) > 0 && (phases[phase] ?? 0) >= longestMs) ?? null
  )
}

function digestsOf(events: readonly DevEvent[]): readonly string[] {
  const statusDigests = ofType(events, 'status').map(({ digest }) => digest)
  const thrown = ofType(events, 'error').map(({ digest }) => digest)
  return [...new Set([...statusDigests, ...thrown])].filter((digest) => digest !== null)
}

function ofType<Type extends DevEvent['type']>(
  events: readonly DevEvent[],
  type: Type,
): Extract<DevEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<DevEvent, { type: Type }> => event.type === type)
}
