/** Signals are values that an app throws to select a response. They aren't failures. */

export type RedirectStatus = 303 | 307 | 308

/** A response selected by the app: the screen for a status, or a redirect. */
export type Signal =
  | { readonly kind: 'fallback'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }

/**
 * Error that carries a signal. React only sends an error's digest to the browser, so the digest
 * encodes the signal.
 */
export class SignalError extends Error {
  override readonly name = 'SignalError'
  readonly signal: Signal
  readonly digest: string
  /** True if the app chose the status. */
  readonly isStatusOfApp: boolean

  constructor(signal: Signal, isStatusOfApp = true) {
    super(signal.kind === 'redirect' ? `redirect to ${signal.location}` : `status ${signal.status}`)
    this.signal = signal
    this.digest = encodeSignal(signal)
    this.isStatusOfApp = isStatusOfApp
  }
}

export function signalOf(thrown: unknown): Signal | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  try {
    const { name, signal, digest } = thrown as Partial<SignalError>
    // Code outside Waymark may have replaced the digest, so read `signal` first.
    if (name === 'SignalError' && signal) return signal
    return typeof digest === 'string' ? (decodeSignal(digest) ?? foreign.decode(digest)) : null
  } catch {
    // Signals don't throw when they are read, as proxies and getters may.
    return null
  }
}

/**
 * Returns the status of a signal thrown by `redirect()`, `notFound()`, `forbidden()` or
 * `unauthorized()`.
 *
 * @returns `null` for any other value, which is an error
 */
export function signalStatus(thrown: unknown): number | null {
  return signalOf(thrown)?.status ?? null
}

// Every interactive page loads this code, so keep it small.
const foreign = { decode: (_digest: string): Signal | null => null }

/**
 * Treats errors with a different framework's digests as signals, on the server and in browsers.
 * @param read receives an error's digest. If it knows the digest, it throws the matching signal
 * with `redirect()` or `notFound()` from `waymark`; otherwise it returns.
 */
export function registerSignalDigests(read: (digest: string) => void): void {
  const { decode } = foreign
  foreign.decode = (digest) => {
    try {
      read(digest)
    } catch (thrown) {
      if (thrown instanceof SignalError) return thrown.signal
    }
    return decode(digest)
  }
}

/** Encodes a signal as `WAYMARK;404` or `WAYMARK;307;/login`. */
export function encodeSignal(signal: Signal): string {
  const location = signal.kind === 'redirect' ? `;${signal.location}` : ''
  return `WAYMARK;${signal.status}${location}`
}

export function decodeSignal(digest: string): Signal | null {
  const [, code, location] = /^WAYMARK;(4\d\d$|30[378](?=;))(?:;(.*))?$/s.exec(digest) ?? []
  if (code === undefined) return null
  const status = Number(code)
  return location === undefined
    ? { kind: 'fallback', status }
    : { kind: 'redirect', status: status as RedirectStatus, location }
}

/** Place in the page where a component threw a signal in the browser. */
export type ScreenPlace = {
  readonly status: number
  /** Name of the slot. Empty for a place above the root layout. */
  readonly slot: string
  /** Key of the segment that contains the slot. */
  readonly key: string
}

/** Encodes a place as `404;children;/shop`. */
export function encodeScreenPlace({ status, slot, key }: ScreenPlace): string {
  return `${status};${slot};${key}`
}

/** @returns `null` if the string isn't an encoded place */
export function decodeScreenPlace(text: string): ScreenPlace | null {
  const [, status, slot, key] = /^(4\d\d);([^;]*);(.*)$/.exec(text) ?? []
  return slot === undefined || key === undefined ? null : { status: Number(status), slot, key }
}
