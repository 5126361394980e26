/**
 * Signals: control flow that an app throws on purpose. A thrown signal is not a failure; it names
 * the response that the request gets instead of the page.
 */

/** Statuses that a redirect may carry. */
export type RedirectStatus = 303 | 307 | 308

/** What a thrown signal requests: the screen of a status, or a redirect. */
export type Signal =
  | { readonly kind: 'fallback'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }

/** An error that carries a signal; its digest survives the way to the browser. */
export class SignalError extends Error {
  override readonly name = 'SignalError'
  readonly signal: Signal
  // Signals cross the Flight border as an error's digest: React drops everything else.
  readonly digest: string
  /** Whether whoever threw it has chosen its status. */
  readonly hasOwnStatus: boolean

  constructor(signal: Signal, hasOwnStatus = true) {
    super(signal.kind === 'redirect' ? `redirect to ${signal.location}` : `status ${signal.status}`)
    this.signal = signal
    this.digest = encodeSignal(signal)
    this.hasOwnStatus = hasOwnStatus
  }
}

/**
 * Reads the signal of a thrown value, by its digest.
 * @returns `null` when the value is not a signal: then it is a failure
 */
export function signalOf(thrown: unknown): Signal | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  try {
    const { name, signal, digest } = thrown as Partial<SignalError>
    // Its digest may be another by now, by which somebody else's code knows it again.
    if (name === 'SignalError' && signal) return signal
    return typeof digest === 'string' ? (decodeSignal(digest) ?? foreign.decode(digest)) : null
  } catch {
    // A proxy or a getter that throws: whatever it is, it is no signal.
    return null
  }
}

// The browser's code of every interactive page has it: all else belongs to who registers.
const foreign = { decode: (_digest: string): Signal | null => null }

/**
 * Lets errors of other code count as signals, on the server and in browsers: packages throw digests
 * that they know from another framework.
 * @param read gets the digest of each error that is no signal, and throws `redirect()`, `notFound()`
 *   or the like for one that means it
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

/** Encodes a signal as a digest: `WAYMARK;404` or `WAYMARK;307;/login`. */
export function encodeSignal(signal: Signal): string {
  const location = signal.kind === 'redirect' ? `;${signal.location}` : ''
  return `WAYMARK;${signal.status}${location}`
}

/**
 * Decodes a digest that `encodeSignal` wrote.
 * @returns `null` for any other text
 */
export function decodeSignal(digest: string): Signal | null {
  const [, code, location] = /^WAYMARK;(4\d\d$|30[378](?=;))(?:;(.*))?$/s.exec(digest) ?? []
  if (code === undefined) return null
  const status = Number(code)
  return location === undefined
    ? { kind: 'fallback', status }
    : { kind: 'redirect', status: status as RedirectStatus, location }
}
