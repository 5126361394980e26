import type { TracedEvent } from 'waymark/plugin'
import type { DevEvent } from '../events/events.ts'

/**
 * After so long, a navigation asks the person: the default of `navigation.timeoutMs`, as a test
 * checks. The panel loads none of the app's modules.
 */
export const deadlineMs = 3_800

/** Something that took a while, in milliseconds since the load began. */
export type Span = {
  readonly name: string
  readonly side: 'server' | 'browser'
  readonly fromMs: number
  readonly toMs: number
}

/** What of a load can be drawn on a line of time. */
export type Timeline = {
  readonly spans: readonly Span[]
  /** Until the last of it ended, or until now. */
  readonly lengthMs: number
}

type TracedStep = Extract<TracedEvent, { type: 'step' }>['step']

/** Steps of the server within the time until its response begins. */
const stepNames: Readonly<Record<TracedStep, string>> = {
  proxy: 'proxy.ts',
  match: 'match',
  render: 'guards and status',
  html: 'HTML',
}
const arrivedNames = { data: 'page data', code: 'code', styles: 'styles' }

/**
 * Puts the events of a load on a line of time. Server and browser count from the same clock only
 * on one machine: on another, what a browser says may be some seconds off.
 * @param load its events, and when it began, in milliseconds since the epoch
 */
export function timelineOf(
  { events, startedAtMs }: { readonly events: readonly DevEvent[]; readonly startedAtMs: number },
  endedAtMs: number,
): Timeline {
  const spans: Span[] = []
  let requestedAtMs = startedAtMs
  let headAtMs = startedAtMs
  const add = (name: string, { side }: DevEvent, fromMs: number, toMs: number) => {
    const from = Math.max(0, fromMs - startedAtMs)
    spans.push({ name, side, fromMs: from, toMs: Math.max(from, toMs - startedAtMs) })
  }
  for (const event of events) {
    const { at } = event
    switch (event.type) {
      case 'request':
        requestedAtMs = at
        break
      case 'status':
        headAtMs = at
        add(`response begins, ${event.status}`, event, requestedAtMs, at)
        break
      case 'response':
        add(event.isWhole ? 'response' : 'response, cut', event, headAtMs, at)
        break
      case 'step':
        add(stepNames[event.step], event, at - event.durationMs, at)
        break
      case 'arrived':
        add(arrivedNames[event.what], event, at - event.durationMs, at)
        break
      case 'cache':
        add(`cache ${event.result}`, event, at - event.durationMs, at)
        break
      case 'retry':
        add(`retry after ${event.reason}`, event, at, at)
        break
      case 'deadline':
        add('deadline', event, at, at)
        break
      case 'navigation':
        if (event.state === 'slow' || event.state === 'late' || event.state === 'failed')
          add(event.state, event, at, at)
    }
  }
  const lengthMs = Math.max(1, endedAtMs - startedAtMs, ...spans.map(({ toMs }) => toMs))
  return { spans: spans.toSorted((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs), lengthMs }
}
