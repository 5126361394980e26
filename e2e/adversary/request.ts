import { adminRole } from './appMap.ts'
import { encodeMultipart, type Multipart } from './multipart.ts'

/** Behaviour of a client: it waits for the response, leaves early, or sends only half a request. */
export type Behaviour = 'stays' | 'leaves at once' | 'leaves after 60 ms' | 'sends half'

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'multipart' } & Multipart)

/** A header line in the form in which it is sent. */
export type HeaderLine = readonly [name: string, value: string]

/** A request of the adversary, with all the data that is needed to send the request again. */
export type AttackRequest = {
  /** Kind of attack. Only one finding is shown for each pair of label and violation. */
  readonly label: string
  readonly method: string
  readonly target: string
  /** All headers except the ones about the body's length. */
  readonly headers: readonly HeaderLine[]
  readonly body: Body
  readonly isChunked: boolean
  readonly behaviour: Behaviour
}

/** The bytes of a request: first the head, then the body. */
export type EncodedRequest = { readonly bytes: Buffer; readonly headLength: number }

/**
 * Encodes a request.
 * @param added additional header lines
 */
export function encodeRequest(
  request: AttackRequest,
  added: readonly HeaderLine[] = [],
): EncodedRequest {
  const { method, target, headers, body, isChunked } = request
  const payload = encodeBody(body)
  const lines = [...headers, ...typeLine(request), ...lengthLine(payload, isChunked), ...added]
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${text}\r\n`, 'latin1')
  const sent = isChunked && payload !== null ? chunked(payload) : payload
  return { bytes: sent ? Buffer.concat([head, sent]) : head, headLength: head.length }
}

/**
 * True if a request contains a value that the guards accept, in any of its parts. Such a request
 * may see guarded content.
 */
export function isPrivileged(request: AttackRequest): boolean {
  return encodeRequest(request).bytes.includes(adminRole)
}

function encodeBody(body: Body): Buffer | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'text':
      return Buffer.from(body.text)
    case 'multipart':
      return Buffer.from(encodeMultipart(body))
  }
}

function typeLine({ headers, body }: AttackRequest): HeaderLine[] {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (hasType || body.kind === 'none') return []
  return [['content-type', body.kind === 'text' ? textType : body.contentType]]
}

// React's client sends a reply with one row with this content type.
const textType = 'text/plain;charset=UTF-8'

function lengthLine(payload: Buffer | null, isChunked: boolean): HeaderLine[] {
  if (payload === null) return []
  if (isChunked) return [['transfer-encoding', 'chunked']]
  return [['content-length', String(payload.length)]]
}

// RFC 9112 §7.1. Send the body in three chunks, so that the server handles more than one.
function chunked(payload: Buffer): Buffer {
  const size = Math.max(1, Math.ceil(payload.length / 3))
  const pieces: Buffer[] = []
  for (let at = 0; at < payload.length; at += size) {
    const piece = payload.subarray(at, at + size)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}
