/**
 * Signals: control flow that an app throws on purpose. A thrown signal is not a failure; it
 * names the answer that the request shall get instead of the page.
 */

/** Statuses that have a fallback screen of their own. */
export type FallbackStatus = 401 | 403 | 404

/** Statuses that a redirect may carry. */
export type RedirectStatus = 303 | 307 | 308

/** Statuses that end a page with a screen; 400 is that of a query its page does not take. */
export type ScreenStatus = FallbackStatus | 400

/** What a thrown signal asks for. */
export type Signal =
  | { readonly kind: 'fallback'; readonly status: ScreenStatus }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }

// Signals cross the Flight border as an error's digest: React drops everything else.
const digestPrefix = 'WAYMARK'

/** An error that carries a signal; its digest survives the way to the browser. */
export class SignalError extends Error {
  override readonly name = 'SignalError'
  readonly signal: Signal
  readonly digest: string

  constructor(signal: Signal) {
    super(signal.kind === 'redirect' ? `redirect to ${signal.location}` : `status ${signal.status}`)
    this.signal = signal
    this.digest = encodeSignal(signal)
  }
}

/**
 * Writes a signal as a digest: `WAYMARK;404` or `WAYMARK;307;/login`.
 */
export function encodeSignal(signal: Signal): string {
  return signal.kind === 'redirect'
    ? `${digestPrefix};${signal.status};${signal.location}`
    : `${digestPrefix};${signal.status}`
}

/**
 * Reads the signal of a thrown value, by its digest.
 * @returns `null` when the value is not a signal: then it is a failure
 */
export function signalOf(thrown: unknown): Signal | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  try {
    const { digest } = thrown as { digest?: unknown }
    return typeof digest === 'string' ? decodeSignal(digest) : null
  } catch {
    // A proxy or a getter that throws: whatever it is, it is no signal.
    return null
  }
}

/**
 * Reads a digest that `encodeSignal` wrote.
 * @returns `null` for any other text
 */
export function decodeSignal(digest: string): Signal | null {
  const [prefix, code, ...location] = digest.split(';')
  if (prefix !== digestPrefix) return null
  switch (code) {
    case '400':
    case '401':
    case '403':
    case '404':
      return { kind: 'fallback', status: Number(code) as ScreenStatus }
    case '303':
    case '307':
    case '308':
      return {
        kind: 'redirect',
        status: Number(code) as RedirectStatus,
        location: location.join(';'),
      }
    default:
      return null
  }
}
