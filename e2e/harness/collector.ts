import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as OTLP sends it in JSON. */
export type SentSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** `SPAN_KIND_INTERNAL` is 1, and `SPAN_KIND_SERVER` is 2. */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly SentAttribute[]
  readonly events: readonly {
    readonly name: string
    readonly attributes: readonly SentAttribute[]
  }[]
  /** `STATUS_CODE_ERROR` is 2. */
  readonly status: { readonly code?: number; readonly message?: string }
}

type SentAttribute = {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number
    readonly boolValue?: boolean
  }
}

type SentSpans = {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

export type Collector = Awaited<ReturnType<typeof startCollector>>

/** Starts a fake collector that stores the spans that it gets by OTLP in JSON. */
export async function startCollector() {
  const spans: SentSpan[] = []
  const server = createServer(async (req, res) => {
    const { resourceSpans } = (await json(req)) as SentSpans
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { spans, origin: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

/** Returns a span's attributes as an object. */
export function attributesOf({
  attributes,
}: Pick<SentSpan, 'attributes'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? intValue ?? boolValue,
    ]),
  )
}

/** Creates the headers of a request that belongs to a new trace. */
export function createTrace(): {
  readonly traceId: string
  readonly callerId: string
  readonly headers: { readonly traceparent: string }
} {
  const traceId = randomBytes(16).toString('hex')
  const callerId = randomBytes(8).toString('hex')
  return { traceId, callerId, headers: { traceparent: `00-${traceId}-${callerId}-01` } }
}
