import { withoutQueryValues } from '../shared/withoutQueryValues.ts'
import { cleanLine } from './cleanText.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  type Cause,
  describeCauses,
  describeStack,
  describeThrown,
  type ThrownText,
} from './thrown.ts'

/** What was being done when an error occurred. */
export const journalPhases = [
  'document',
  'data',
  'action',
  'route-handler',
  'proxy',
  'prerender',
  'browser',
  'after',
  'cache',
  'startup',
  'process',
] as const

/** What was being done when an error occurred. */
export type JournalPhase = (typeof journalPhases)[number]

/** One occurrence of an error, as the journal keeps it. */
export type JournalEntry = ThrownText & {
  readonly kind: 'error'
  /** Unique; the same on the screen, in the header, in the log. */
  readonly digest: string
  readonly timeMs: number
  /** The same for errors of one kind. */
  readonly fingerprint: string
  readonly phase: JournalPhase
  /** Pattern of the route, such as `/blog/[slug]`. */
  readonly route: string | null
  /** Path and names of the query, without values. */
  readonly path: string | null
  readonly method: string | null
  /** Of the answer, as far as it was known. */
  readonly status: number | null
  /** `x-request-id`, as a proxy in front gave it. */
  readonly requestId: string | null
  readonly traceparent: string | null
  readonly buildId: string | null
  /** The nearest first. */
  readonly causes: readonly Cause[]
  /** Present for an error of a browser. */
  readonly browser: BrowserContext | null
}

/** What is known of a browser in which an error occurred. */
export type BrowserContext = {
  readonly userAgent: string | null
  /** How the error was caught: `error`, `unhandledrejection`, `boundary`, … */
  readonly source: string
  /** The last paths the person visited, the newest last, without query values. */
  readonly navigations: readonly string[]
  readonly componentStack: string | null
}

/** When and where an error occurred. */
export type EntryContext = Pick<JournalEntry, 'digest' | 'timeMs' | 'phase'> & {
  /** As requested, query included: the entry leaves its values out. */
  readonly target?: string | null | undefined
} & Partial<
    Record<'route' | 'method' | 'requestId' | 'traceparent' | 'buildId', string | null | undefined>
  > & { readonly status?: number | null | undefined }

/** What a browser tells of an error; checked to have these types, and no more. */
export type BrowserReport = {
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly componentStack: string | null
  readonly source: string
  readonly navigations: readonly string[]
  readonly userAgent: string | null
}

const lineLimits = { path: 1024, short: 200, navigations: 5, componentStack: 4096 }

/**
 * Makes the entry of a thrown value. It never throws, whatever was thrown.
 */
export function createEntry(thrown: unknown, facts: EntryContext): JournalEntry {
  const text = describeThrown(thrown)
  return entryOf(text, facts, { causes: describeCauses(thrown), browser: null })
}

/**
 * Makes the entry of an error that a browser reports.
 */
export function createBrowserEntry(report: BrowserReport, facts: EntryContext): JournalEntry {
  // A report reads like an error.
  const text = describeThrown(report)
  const { userAgent, source, navigations, componentStack } = report
  return entryOf(text, facts, {
    causes: [],
    browser: {
      userAgent: shortLine(userAgent),
      source: cleanLine(source, lineLimits.short),
      navigations: navigations.slice(-lineLimits.navigations).map(pathOf),
      componentStack: describeStack(componentStack, lineLimits.componentStack),
    },
  })
}

/**
 * Reduces an entry to what can hold no secret.
 * @param message takes the place of the error's own
 */
export function minimalEntry(entry: JournalEntry, message: string): JournalEntry {
  const { kind, digest, timeMs, fingerprint, phase, route, method, status, buildId } = entry
  const kept = { kind, digest, timeMs, fingerprint, phase, route, method, status, buildId }
  const nothing = { code: null, stack: null, path: null, requestId: null, traceparent: null }
  return { ...kept, ...nothing, name: 'Error', message, causes: [], browser: null }
}

function entryOf(
  text: ThrownText,
  facts: EntryContext,
  rest: Pick<JournalEntry, 'causes' | 'browser'>,
): JournalEntry {
  const { digest, timeMs, phase, status = null, target } = facts
  return {
    kind: 'error',
    digest,
    timeMs,
    fingerprint: fingerprintOf(text),
    phase,
    route: shortLine(facts.route),
    path: target ? pathOf(target) : null,
    method: shortLine(facts.method),
    status,
    requestId: shortLine(facts.requestId),
    traceparent: shortLine(facts.traceparent),
    buildId: shortLine(facts.buildId),
    ...text,
    ...rest,
  }
}

function pathOf(target: string): string {
  return cleanLine(withoutQueryValues(target.slice(0, lineLimits.path)), lineLimits.path)
}

function shortLine(text: string | null | undefined): string | null {
  return text ? cleanLine(text, lineLimits.short) : null
}
