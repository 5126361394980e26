/** A request's place in a trace that spans several services. @see W3C Trace Context §3.2 */
export type TraceContext = {
  /** 32 hex digits. */
  readonly traceId: string
  /** Of the caller: 16 hex digits. */
  readonly parentId: string
  /** Two hex digits; `01`: the caller records this trace. */
  readonly flags: string
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * Reads a `traceparent` header.
 * @returns `null` for none, and for one that has to be ignored
 */
export function parseTraceparent(header: string | null): TraceContext | null {
  const [, version, traceId = '', parentId = '', flags = '', rest] =
    pattern.exec(header ?? '') ?? []
  // §3.2.2: version ff is none; version 00 has four parts, later ones may have more.
  if (version === undefined || version === 'ff') return null
  if (version === '00' && rest !== undefined) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null
  return { traceId, parentId, flags }
}

/** Writes a `traceparent` header, as version 00. The inverse of `parseTraceparent`. */
export function formatTraceparent({ traceId, parentId, flags }: TraceContext): string {
  return `00-${traceId}-${parentId}-${flags}`
}

/**
 * The headers that pass a trace on to a service that is called for a request; without a trace,
 * none. A tracer that makes spans of its own writes its own.
 * @param headers of the request
 */
export function traceHeaders(headers: {
  get(name: string): string | null
}): Readonly<Record<string, string>> {
  const trace = parseTraceparent(headers.get('traceparent'))
  if (!trace) return {}
  const state = headers.get('tracestate')
  // §3.3: without a valid traceparent, tracestate means nothing.
  return { traceparent: formatTraceparent(trace), ...(state ? { tracestate: state } : {}) }
}
