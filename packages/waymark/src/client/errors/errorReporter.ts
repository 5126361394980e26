import { withBasePath } from '../../shared/basePath.ts'
import { isRecord } from '../../shared/maps.ts'
import {
  type BeaconSource,
  createDigest,
  type ErrorBeacon,
  errorBeaconPath,
  isDigest,
  maxBeaconBytes,
  withoutQueryValues,
} from '../../wire/errorReport.ts'
import { signalOf } from '../../wire/signals.ts'

export type ErrorDetails = {
  readonly source: BeaconSource
  readonly componentStack?: string | null | undefined
  readonly target: string
}

export type Visits = {
  /** Paths, with queries, of the last few pages that the user visited, newest last. */
  readonly targets: string[]
  /** Id of the document's build; `null` until it is known. */
  build: string | null
}

export type ErrorReporter = ReturnType<typeof createErrorReporter>

const perMinute = 10
// Number of reports reserved for errors that are shown on a screen, because the user sees their
// digests.
const reserved = 3
const maxKinds = 50
const maxComponentStack = 3_000

export function createErrorReporter(
  visits: Visits,
  { send = sendErrorBeacon, now = Date.now } = {},
) {
  const digestByError = new WeakMap<object, string>()
  const kinds = new Map<string, string>()
  let sentAtMs: number[] = []

  function mayStillSend(source: BeaconSource): boolean {
    sentAtMs = sentAtMs.filter((each) => each > now() - 60_000)
    const showsScreen = source === 'boundary' || source === 'uncaught'
    return sentAtMs.length < (showsScreen ? perMinute : perMinute - reserved)
  }

  function sendOnce(thrown: unknown, details: ErrorDetails): string | null {
    const { source, componentStack, target } = details
    const text = beaconTextsOf(thrown)
    const kind = `${text.name}\n${text.message}\n${text.stack}`
    const sent = kinds.get(kind)
    if (sent !== undefined) return sent
    if (!mayStillSend(source) || kinds.size >= maxKinds) return null
    const digest = createDigest(now(), Math.random())
    kinds.set(kind, digest)
    sentAtMs.push(now())
    const beacon = {
      digest,
      source,
      ...text,
      componentStack: componentStack?.slice(0, maxComponentStack) ?? null,
      path: withoutQueryValues(target),
      navigations: visits.targets.map(withoutQueryValues),
      buildId: visits.build,
    }
    send(encodeBeacon(beacon))
    return digest
  }

  /**
   * Reports a thrown value once.
   * @returns the value's digest, or `null` if the error isn't in the journal
   */
  function report(thrown: unknown, details: ErrorDetails): string | null {
    const existing = existingDigest(thrown, digestByError)
    if (existing !== undefined) return existing
    const digest = sendOnce(thrown, details)
    if (digest !== null && isRecord(thrown)) digestByError.set(thrown, digest)
    return digest
  }

  return {
    report,
    reportEvent(event: Event, target: string): string | null {
      const error = uncaught(event)
      return error && report(error.thrown, { source: error.source, target })
    },
  }
}

/** Encodes a beacon as JSON. Long strings are halved until the beacon is small enough. */
export function encodeBeacon(beacon: ErrorBeacon): string {
  const json = JSON.stringify(beacon)
  if (new Blob([json]).size <= maxBeaconBytes) return json
  const { message, stack, componentStack, path } = beacon
  const half = (text: string) => text.slice(0, text.length / 2)
  return encodeBeacon({
    ...beacon,
    message: half(message),
    stack: stack && half(stack),
    componentStack: componentStack && half(componentStack),
    path: half(path),
    navigations: [],
  })
}

/**
 * Returns the digest of a value that needs no report: a server error, or an error that was reported
 * before. Returns `null` for values that are never reported, such as signals, and `undefined` for
 * new errors.
 */
function existingDigest(
  thrown: unknown,
  digestByError: WeakMap<object, string>,
): string | null | undefined {
  try {
    if (signalOf(thrown)) return null
    if (!isRecord(thrown)) return undefined
    if ('onUncaught' in thrown) return null
    const digest = (thrown as { digest?: unknown }).digest
    return typeof digest === 'string' && isDigest(digest) ? digest : digestByError.get(thrown)
  } catch {
    return undefined
  }
}

export function sendErrorBeacon(beacon: string): void {
  // Send a string: Chrome would read a blob from the page's process, which may have ended.
  // `sendBeacon` is missing in old browsers and may return false with tracking blockers.
  const beaconUrl = withBasePath(errorBeaconPath)
  if (navigator.sendBeacon?.(beaconUrl, beacon)) return
  fetch(beaconUrl, { method: 'POST', body: beacon, keepalive: true }).catch(() => {})
}

const limits = { name: 100, message: 2_000, stack: 6_000 }

/** Describes any thrown value, even if reading its properties throws. */
export function beaconTextsOf(thrown: unknown): Pick<ErrorBeacon, 'name' | 'message' | 'stack'> {
  const [name, message, stack] = ['name', 'message', 'stack'].map((key) => textOf(thrown, key))
  return {
    name: (name || typeof thrown).slice(0, limits.name),
    message: (message ?? plainText(thrown)).slice(0, limits.message),
    stack: stack?.slice(-limits.stack) ?? null,
  }
}

function textOf(thrown: unknown, key: string): string | undefined {
  try {
    const value = (thrown as Record<string, unknown>)[key]
    return typeof value === 'string' && typeof thrown === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

function plainText(thrown: unknown): string {
  if (typeof thrown === 'object' || typeof thrown === 'function') return ''
  return String(thrown)
}

/** Reads an `error` or `unhandledrejection` event of the window. Returns `null` for noise. */
export function uncaught(
  event: Event,
): { readonly thrown: unknown; readonly source: BeaconSource } | null {
  if (event.type === 'unhandledrejection') {
    return { thrown: (event as PromiseRejectionEvent).reason, source: 'unhandledrejection' }
  }
  const { error, message, filename, lineno, colno } = event as ErrorEvent
  if (isNoise(message, filename)) return null
  // Some events contain a message but no error, so create a stack from the event's position.
  const stack = `@${filename}:${lineno}:${colno}`
  return { thrown: error ?? { name: 'Error', message, stack }, source: 'error' }
}

// True for errors in scripts from other origins, which have no details, and for errors of a
// ResizeObserver, which are harmless.
function isNoise(message: string | undefined, filename: string | undefined): boolean {
  return /^ResizeObserver loop/.test(message ?? '') || (message === 'Script error.' && !filename)
}
