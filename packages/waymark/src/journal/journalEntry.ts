import { type ErrorBeacon, withoutQueryValues } from '../wire/errorReport.ts'
import {
  type Cause,
  cleanLine,
  describeCauses,
  describeStack,
  describeThrown,
  parseFrame,
  type StackFrame,
  type ThrownText,
} from './thrownText.ts'

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

/** Part of the work during which an error occurred. */
export type JournalPhase = (typeof journalPhases)[number]

/** An occurrence of an error in the journal. */
export type JournalEntry = ThrownText & {
  readonly kind: 'error'
  /** Unique id of the occurrence, which is shown on the screen, in a response header and in the log. */
  readonly digest: string
  readonly timeMs: number
  /** Identifies the kind of the error. Errors of the same kind have the same fingerprint. */
  readonly fingerprint: string
  readonly phase: JournalPhase
  /** Route pattern, such as `/blog/[slug]`. */
  readonly route: string | null
  /** Path, with the names of query parameters but without their values. */
  readonly path: string | null
  readonly method: string | null
  /** Status of the response, if known. */
  readonly status: number | null
  /** Value of `x-request-id` from a proxy. */
  readonly requestId: string | null
  readonly traceparent: string | null
  readonly buildId: string | null
  /** Causes of the error, nearest first. */
  readonly causes: readonly Cause[]
  /** Details from the browser, for an error that occurred in a browser. */
  readonly browser: BrowserContext | null
  /**
   * The request during which the error occurred, as JSON from `@waymark/replay`. `waymark replay`
   * can send it again.
   */
  readonly replay?: unknown
}

export type BrowserContext = {
  readonly userAgent: string | null
  /** How the error was caught, such as `error`, `unhandledrejection` or `boundary`. */
  readonly source: string
  /** Paths that the user visited, newest last, without query values. */
  readonly navigations: readonly string[]
  readonly componentStack: string | null
}

/** Circumstances of an error that become part of its journal entry. */
export type EntryContext = Pick<JournalEntry, 'digest' | 'timeMs' | 'phase'> & {
  /** Path and query as the client sent them. The entry omits the query's values. */
  readonly target?: string | null | undefined
} & {
  readonly [Name in 'route' | 'method' | 'status' | 'requestId' | 'traceparent' | 'buildId']?:
    | JournalEntry[Name]
    | undefined
}

export type BrowserReport = Pick<
  ErrorBeacon,
  'name' | 'message' | 'stack' | 'componentStack' | 'source' | 'navigations'
> & { readonly userAgent: string | null }

const lineLimits = { path: 1024, short: 200, navigations: 5, componentStack: 4096 }

export function createEntry(thrown: unknown, context: EntryContext): JournalEntry {
  const text = describeThrown(thrown)
  return entryOf(text, context, { causes: describeCauses(thrown), browser: null })
}

export function createBrowserEntry(report: BrowserReport, context: EntryContext): JournalEntry {
  const text = describeThrown(report)
  const { userAgent, source, navigations, componentStack } = report
  return entryOf(text, context, {
    causes: [],
    browser: {
      userAgent: shortLine(userAgent),
      source: cleanLine(source, lineLimits.short),
      navigations: navigations.slice(-lineLimits.navigations).map(pathOf),
      componentStack: describeStack(componentStack, lineLimits.componentStack),
    },
  })
}

/** Keeps only fields that can't contain secrets. @param message replaces the error's message */
export function minimalEntry(entry: JournalEntry, message: string): JournalEntry {
  const { kind, digest, timeMs, fingerprint, phase, route, method, status, buildId } = entry
  const safe = { kind, digest, timeMs, fingerprint, phase, route, method, status, buildId }
  const nothing = { code: null, stack: null, path: null, requestId: null, traceparent: null }
  return { ...safe, ...nothing, name: 'Error', message, causes: [], browser: null }
}

function entryOf(
  text: ThrownText,
  context: EntryContext,
  rest: Pick<JournalEntry, 'causes' | 'browser'>,
): JournalEntry {
  const { digest, timeMs, phase, status = null, target } = context
  return {
    kind: 'error',
    digest,
    timeMs,
    fingerprint: fingerprintOf(text),
    phase,
    route: shortLine(context.route),
    path: target ? pathOf(target) : null,
    method: shortLine(context.method),
    status,
    requestId: shortLine(context.requestId),
    traceparent: shortLine(context.traceparent),
    buildId: shortLine(context.buildId),
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

const maxAppFrames = 3

/**
 * Returns ten letters and digits that identify a kind of error, by its name, code and place in the
 * code. Ignores line and column numbers and hashes in file names, because these change with each
 * build. Without a stack, uses the message instead, without its numbers and quoted text.
 */
export function fingerprintOf({ name, code, message, stack }: ThrownText): string {
  const places = (stack?.split('\n') ?? [])
    .map(parseFrame)
    .filter(isAppFrame)
    .slice(0, maxAppFrames)
  const where = places.length > 0 ? places.map(placeOf) : [generalMessage(message)]
  return hashOf([name, code ?? '', ...where].join('\n'))
}

function isAppFrame({ file }: StackFrame): boolean {
  return file !== null && !/^node:|[\\/]node_modules[\\/]|^<anonymous>/.test(file)
}

function placeOf({ file, functionName }: StackFrame): string {
  const name = (file ?? '').replace(/[?#].*/, '').replace(/^.*[\\/]/, '')
  // Bundlers add a hash to file names, as in `page-Bx3_k9aQ.js`.
  return `${functionName ?? ''} ${name.replace(/[-.][\w-]{8}(?=\.\w+$)/, '')}`
}

function generalMessage(message: string): string {
  const [firstLine = ''] = message.slice(0, 200).split('\n', 1)
  return firstLine
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '""')
    .replace(/\b(?=\w*\d)[\w-]+\b/g, '#')
}

/** Hashes a string with FNV-1a and two seeds. The hash isn't cryptographic. */
function hashOf(text: string): string {
  let a = 0x811c9dc5
  let b = 0x2f0b4a31
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x01000193) ^ (a >>> 15)
  }
  return [a, b].map((half) => (half >>> 0).toString(36).padStart(5, '0').slice(-5)).join('')
}
