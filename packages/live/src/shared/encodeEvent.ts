import {
  endEvent,
  isPosition,
  reservedEvents,
  type StreamEnd,
  type StreamEvent,
} from './streamEvents.ts'

const encoder = new TextEncoder()

/** The server shows that it is there. */
export const heartbeat = encoder.encode(':\n\n')

/** @throws for what is no event, or one that is too large: the handler's mistake */
export function encodeEvent(event: StreamEvent, maxBytes: number): Uint8Array<ArrayBuffer> {
  const { id, event: name = 'message', data = null } = Object(event) as StreamEvent
  if (id !== undefined && !isPosition(String(id))) {
    throw new TypeError(`The id of an event is up to 200 visible ASCII characters, not “${id}”.`)
  }
  if (!/^[\w.:-]{1,100}$/.test(name) || reservedEvents.includes(name)) {
    throw new TypeError(`An event can't be named “${name}”.`)
  }
  const bytes = encoder.encode(textOf(name, data, id))
  if (bytes.length <= maxBytes) return bytes
  throw new RangeError(
    `An event of ${bytes.length} bytes is more than the ${maxBytes} of maxEventBytes: send a reference.`,
  )
}

export function encodeEnd(end: StreamEnd): Uint8Array<ArrayBuffer> {
  return encoder.encode(textOf(endEvent, end))
}

/** @param ms after which an `EventSource` connects again */
export function encodeRetry(ms: number): Uint8Array<ArrayBuffer> {
  return encoder.encode(`retry: ${Math.round(ms)}\n\n`)
}

// JSON has no line breaks of its own.
function textOf(name: string, data: unknown, id?: string | number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  const eventLine = name === 'message' ? '' : `event: ${name}\n`
  return `${idLine}${eventLine}data: ${JSON.stringify(data)}\n\n`
}
