import {
  endEvent,
  isPosition,
  reservedEvents,
  type StreamEnd,
  type StreamEvent,
} from './streamEvents.ts'

const encoder = new TextEncoder()

/** Comment line that tells the client that the server is still alive. */
export const heartbeat = encoder.encode(':\n\n')

/** @throws if the handler yields something that isn't an event, or an event that is too large */
export function encodeEvent(event: StreamEvent, maxBytes: number): Uint8Array<ArrayBuffer> {
  const { id, event: name = 'message', data = null } = Object(event) as StreamEvent
  if (id !== undefined && !isPosition(String(id))) {
    throw new TypeError(
      `An event has the invalid id “${id}”. Use up to 200 visible ASCII characters.`,
    )
  }
  if (!/^[\w.:-]{1,100}$/.test(name) || reservedEvents.includes(name)) {
    throw new TypeError(
      `An event can't be named “${name}”. Use letters, digits and _ . : -, but not “end”, “error” or “open”.`,
    )
  }
  const bytes = encoder.encode(textOf(name, data, id))
  if (bytes.length <= maxBytes) return bytes
  throw new RangeError(
    `An event has ${bytes.length} bytes, but maxEventBytes is ${maxBytes}. Send a reference to the data instead.`,
  )
}

export function encodeEnd(end: StreamEnd): Uint8Array<ArrayBuffer> {
  return encoder.encode(textOf(endEvent, end))
}

/** @param ms time after which an `EventSource` connects again */
export function encodeRetry(ms: number): Uint8Array<ArrayBuffer> {
  return encoder.encode(`retry: ${Math.round(ms)}\n\n`)
}

// JSON contains no line breaks, so one `data` line is enough.
function textOf(name: string, data: unknown, id?: string | number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  const eventLine = name === 'message' ? '' : `event: ${name}\n`
  return `${idLine}${eventLine}data: ${JSON.stringify(data)}\n\n`
}
