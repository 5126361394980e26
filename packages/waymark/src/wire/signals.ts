/** Signals: what an app throws to select a response. None is a failure. */

export type RedirectStatus = 303 | 307 | 308

/** The screen of a status, or a redirect. */
export type Signal =
  | { readonly kind: 'fallback'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }

/** React sends the digest of an error to the browser, and nothing else. */
export class SignalError extends Error {
  override readonly name = 'SignalError'
  readonly signal: Signal
  readonly digest: string
  /** True when the app chose the status. */
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
    // Code outside Waymark may have replaced the digest.
    if (name === 'SignalError' && signal) return signal
    return typeof digest === 'string' ? (decodeSignal(digest) ?? foreign.decode(digest)) : null
  } catch {
    // A proxy or getter threw: not a signal.
    return null
  }
}

/**
 * The status that `redirect()`, `notFound()`, `forbidden()` and `unauthorized()` stand for.
 * @returns `null` for any other thrown value, which is an error
 */
export function signalStatus(thrown: unknown): number | null {
  return signalOf(thrown)?.status ?? null
}

// Kept small, because every interactive page loads it.
const foreign = { decode: (_digest: string): Signal | null => null }

/**
 * Lets errors with the digests of another framework count as signals, on the server and in browsers.
 * @param read gets the digest of an error and throws the signal for it, with `redirect()` or
 * `notFound()` of `waymark`; it returns for a digest that it does not know
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

/** `WAYMARK;404` or `WAYMARK;307;/login` */
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

/** The place in which a component threw a signal in the browser. */
export type ScreenPlace = {
  readonly status: number
  /** Empty above the root layout. */
  readonly slot: string
  /** Key of the segment that has the slot. */
  readonly key: string
}

/** `404;children;/shop` */
export function encodeScreenPlace({ status, slot, key }: ScreenPlace): string {
  return `${status};${slot};${key}`
}

/** @returns `null` for other texts */
export function decodeScreenPlace(text: string): ScreenPlace | null {
  const [, status, slot, key] = /^(4\d\d);([^;]*);(.*)$/.exec(text) ?? []
  return slot === undefined || key === undefined ? null : { status: Number(status), slot, key }
}
