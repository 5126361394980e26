import type { TracedEvent } from 'waymark/plugin'
import type { DevEvent } from '../events/events.ts'

/**
 * Milliseconds after which a navigation shows a notice. The panel doesn't load the app's modules,
 * so it can't import the default of `navigation.timeoutMs`. A test checks that the two are equal.
 */
export const deadlineMs = 3_800

/** A part of a page load, in milliseconds since the load started. */
export type Span = {
  readonly name: string
  readonly side: 'server' | 'browser'
  readonly fromMs: number
  readonly toMs: number
}

/** The parts of a page load, as the chart shows them. */
export type Timeline = {
  readonly spans: readonly Span[]
  /** Time until the last part ended, or until now. */
  readonly lengthMs: number
}

type TracedStep = Extract<TracedEvent, { type: 'step' }>['step']

/** Names of the steps that the server takes before its response starts. */
const stepNames: Readonly<Record<TracedStep, string>> = {
  proxy: 'proxy.ts',
  match: 'match',
  render: 'guards and status',
  html: 'HTML',
}
const arrivedNames = { data: 'page data', code: 'code', styles: 'styles' }

/**
 * Places the events of a page load in time. If the browser runs on a different machine, its clock
 * may differ from the server's clock by several seconds.
 * @param load the load's events, and its start in milliseconds since the epoch
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
        add(`response starts, ${event.status}`, event, requestedAtMs, at)
        break
      case 'response':
        add(event.isWhole ? 'response' : 'response, cut off', event, headAtMs, at)
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
