import {
  type Cause,
  type Load,
  type LoadKind,
  lateAfterMs,
  longestLoadMs,
  type NoticeEnd,
  type WaitedFor,
} from '../shared/load.ts'

/** The router's events for navigations and actions. `waymark` has the types of all events. */
export type LoadEvent =
  | {
      readonly type: 'navigation'
      readonly state: 'start' | 'loading' | 'slow' | 'late' | 'failed' | 'idle'
      readonly url: string
      readonly kind: string
      readonly outcome: string | null
    }
  | { readonly type: 'fetched'; readonly status: number; readonly digest: string | null }
  | { readonly type: 'arrived'; readonly what: WaitedFor; readonly durationMs: number }
  | { readonly type: 'retry'; readonly reason: string }
  | { readonly type: 'action'; readonly outcome: string | null }
  | { readonly type: 'notice' | 'deadline' }

/** A load that has ended. Its URL has yet to be replaced with its route's pattern. */
export type EndedLoad = Omit<Load, 'route'> & { readonly url: string }

/** State of a navigation that continues as the load of a new document. */
export type Handover = {
  readonly startedAtMs: number
  readonly attempts: number
  readonly isNoticed: boolean
  readonly cause: Cause | null
}

type Running = {
  readonly url: string
  readonly kind: LoadKind
  readonly startedAtMs: number
  attempts: number
  isNoticed: boolean
  cause: Cause | null
  /** Status of the current attempt's response. */
  status: number | null
  digest: string | null
  /** The part of the page that took longest to arrive. */
  slowest: { readonly what: WaitedFor; readonly durationMs: number } | null
}

export type TrackerOptions = {
  readonly onEnd: (load: EndedLoad) => void
  readonly onHandover: (url: string, handover: Handover) => void
  readonly isOnline: () => boolean
}

type Tracking = TrackerOptions & {
  load: Running | null
  /** Time of the call to the running action. */
  actionAtMs: number | null
  /** Time of the call to an action whose redirect the router is about to follow. */
  redirectsSinceMs: number | null
}

/** Tracks a document's page loads, one at a time. Each load ends with exactly one outcome. */
export function createLoadTracker(options: TrackerOptions) {
  const tracking: Tracking = { ...options, load: null, actionAtMs: null, redirectsSinceMs: null }
  return {
    /**
     * Begins the load of the document itself. @param before state of the navigation that opened the
     * document
     */
    begin(url: string, before: Handover | null): void {
      begin(tracking, { url, kind: 'document', startedAtMs: 0, ...before })
    },
    /** Ends the load of a document that is on the screen. @param atMs `null` in a tab that nobody saw */
    show(atMs: number | null, status: number | null, digest: string | null): void {
      if (tracking.load?.kind !== 'document') return
      Object.assign(tracking.load, { status, digest })
      end(tracking, atMs, 'arrived')
    },
    /** Ends a load because the page was hidden or closed, or because a minute has passed. */
    giveUp: (atMs: number): void => end(tracking, atMs, 'gave-up'),
    isOverdue: (atMs: number): boolean =>
      tracking.load !== null && atMs - tracking.load.startedAtMs >= longestLoadMs,
    record: (event: LoadEvent, atMs: number): void => record(tracking, event, atMs),
  }
}

function begin(
  tracking: Tracking,
  started: Pick<Running, 'url' | 'kind' | 'startedAtMs'> & Partial<Running>,
): void {
  const nothing = { cause: null, status: null, digest: null, slowest: null }
  tracking.load = { attempts: 1, isNoticed: false, ...nothing, ...started }
}

function end(tracking: Tracking, atMs: number | null, how: NoticeEnd): void {
  const { load, onEnd } = tracking
  tracking.load = null
  if (load) onEnd(describe(load, atMs, how))
}

function record(tracking: Tracking, event: LoadEvent, atMs: number): void {
  const { load, isOnline } = tracking
  switch (event.type) {
    case 'navigation':
      if (event.state === 'start') startNavigation(tracking, event, atMs)
      else followNavigation(tracking, event, atMs)
      return
    case 'action': {
      const { outcome } = event
      if (outcome === null) tracking.actionAtMs = atMs
      else tracking.redirectsSinceMs = outcome === 'redirect' ? (tracking.actionAtMs ?? atMs) : null
      return
    }
    case 'fetched':
      if (load) Object.assign(load, { status: event.status, digest: event.digest })
      return
    case 'arrived':
      if (load && event.durationMs >= (load.slowest?.durationMs ?? 0)) load.slowest = event
      return
    case 'retry':
      if (!load) return
      load.attempts++
      load.cause = causeOf(event.reason, load, isOnline())
      load.status = null
      return
    case 'notice':
      if (load) load.isNoticed = true
      return
    case 'deadline':
      // An earlier failure's cause is more specific than a timeout, so keep it.
      if (load) load.cause ??= 'timed-out'
      return
  }
}

type NavigationEvent = Extract<LoadEvent, { type: 'navigation' }>

function startNavigation(tracking: Tracking, { url, kind }: NavigationEvent, atMs: number): void {
  const { redirectsSinceMs } = tracking
  end(tracking, atMs, 'left')
  tracking.redirectsSinceMs = null
  switch (kind) {
    case 'push':
    case 'replace':
      if (redirectsSinceMs === null) begin(tracking, { url, kind, startedAtMs: atMs })
      else begin(tracking, { url, kind: 'action', startedAtMs: redirectsSinceMs })
      return
    case 'traverse':
      begin(tracking, { url, kind, startedAtMs: atMs })
      return
    default:
    // A refresh renders the current page again, so it doesn't count as a load.
  }
}

function followNavigation(
  tracking: Tracking,
  { url, state, outcome }: NavigationEvent,
  atMs: number,
): void {
  const { load, isOnline, onHandover } = tracking
  if (load?.url !== url) return
  if (state === 'failed') load.cause ??= causeOf('NoPageData', load, isOnline())
  if (state !== 'idle') return
  if (outcome !== 'document') {
    end(tracking, atMs, endOf(outcome, load))
    return
  }
  const { startedAtMs, attempts, isNoticed, cause } = load
  tracking.load = null
  onHandover(url, { startedAtMs, attempts, isNoticed, cause })
}

/**
 * Returns how a load ended after a notice. If the notice isn't shown yet, a canceled load counts as
 * left.
 */
function endOf(outcome: string | null, { isNoticed }: Running): NoticeEnd {
  if (outcome === 'committed') return 'arrived'
  return outcome === 'superseded' || (outcome === 'canceled' && !isNoticed) ? 'left' : 'gave-up'
}

/** @param reason name of the error that ended an attempt */
function causeOf(reason: string, { status }: Running, isOnline: boolean): Cause {
  if (reason === 'BrokenPayload' || reason === 'SyntaxError') return 'cut'
  if (reason !== 'NoPageData') return 'thrown'
  if (status !== null) return 'refused'
  return isOnline ? 'unreachable' : 'offline'
}

function describe(load: Running, atMs: number | null, how: NoticeEnd): EndedLoad {
  const { url, kind, startedAtMs, attempts, isNoticed, cause, status, digest, slowest } = load
  const ms = atMs === null ? null : Math.max(0, Math.round(atMs - startedAtMs))
  const isLate = slowest !== null && how === 'arrived' && (ms ?? 0) > lateAfterMs
  const common = {
    url,
    kind,
    ms,
    attempts,
    ...(cause === null ? {} : { cause }),
    ...(isLate ? { late: slowest.what } : {}),
  }
  if (isNoticed) return { ...common, outcome: 'notice', end: how }
  if (how !== 'arrived') return { ...common, outcome: how === 'left' ? 'left' : 'never' }
  if (status === null || status < 400) return { ...common, outcome: 'page' }
  if (status < 500) return { ...common, outcome: 'fallback', status }
  return { ...common, outcome: 'error', ...(digest === null ? {} : { digest }) }
}
