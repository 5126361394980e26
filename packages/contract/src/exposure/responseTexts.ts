import { payloadText } from '@waymark/testing/build'
import { createFrameReader } from 'waymark/plugin/node'
import type { ProbeResponse } from '../probe/exchange.ts'

/** The texts of a response in which to search. */
export type ResponseTexts = {
  /** Lines of the response's headers. */
  readonly headers: string
  readonly body: string
  /** Rows of React's Flight, from a document, page data or the result of an action. */
  readonly payload: string | null
}

/** Reads the texts of a response. A payload is without frames and without the script that carries it. */
export function readTexts({ headers, body }: ProbeResponse): ResponseTexts {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  const type = headers.get('content-type') ?? ''
  return { headers: lines.join('\n'), body, payload: readPayload(type, body) }
}

function readPayload(type: string, body: string): string | null {
  if (type.startsWith('text/html')) return payloadText(body)
  if (!type.startsWith('text/x-component')) return null
  const reader = createFrameReader()
  const parts = reader.read(Buffer.from(body))
  return parts.length > 0 ? Buffer.concat(parts).toString() : body
}
