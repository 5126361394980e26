import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'

/** A request or response body as a sequence of chunks. */
export type Body = AsyncIterable<Uint8Array>

/** Thrown by a body that ends with a reset of the connection. */
export class ResetError extends Error {
  override readonly name = 'ResetError'
}

/** True if a fault changes a body, so that its original length is no longer valid. */
export function changesBody({ kind }: Fault): boolean {
  return kind === 'cut' || kind === 'corrupt' || kind === 'corrupt-late'
}

/**
 * Applies a fault to a body.
 * @param signal aborts when the client has disconnected, and ends all delays
 * @throws ResetError if the connection must be reset
 */
export function faultyBody(body: Body, fault: Fault | null, signal: AbortSignal): Body {
  switch (fault?.kind) {
    case 'slow':
      return slowBody(body, fault.bytesPerSecond, signal)
    case 'stall':
      return stalledBody(body, fault.afterBytes, signal)
    case 'cut':
      return cutBody(body, fault.afterBytes, fault.ending)
    case 'corrupt':
      return 'byte' in fault.at ? corruptByte(body, fault.at.byte) : corruptRow(body, fault.at.row)
    case 'corrupt-late':
      return corruptEnd(body, fault, signal)
    default:
      return body
  }
}

// Ten chunks per second are smooth enough for a streamed page, without a timer for each byte.
async function* slowBody(body: Body, bytesPerSecond: number, signal: AbortSignal): Body {
  const step = Math.max(1, Math.round(bytesPerSecond / 10))
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += step) {
      const piece = chunk.subarray(at, at + step)
      yield piece
      await sleep((piece.length / bytesPerSecond) * 1000, undefined, { signal })
    }
  }
}

async function* stalledBody(
  body: Body,
  afterBytes: number | 'first-chunk',
  signal: AbortSignal,
): Body {
  if (afterBytes === 'first-chunk') yield* firstChunk(body)
  else yield* firstBytes(body, afterBytes)
  signal.throwIfAborted()
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ResetError('the client has disconnected')))
  })
}

async function* cutBody(body: Body, afterBytes: number, ending: 'clean' | 'reset'): Body {
  yield* firstBytes(body, afterBytes)
  if (ending === 'reset') throw new ResetError('cut')
}

async function* firstChunk(body: Body): Body {
  for await (const chunk of body) {
    yield chunk
    return
  }
}

async function* firstBytes(body: Body, count: number): Body {
  let left = count
  if (left === 0) return
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

async function* corruptByte(body: Body, byte: number): Body {
  let start = 0
  for await (const chunk of body) {
    yield flipped(chunk, byte - start)
    start += chunk.length
  }
}

async function* corruptRow(body: Body, row: number): Body {
  const newline = 10
  const colon = 58
  let currentRow = 0
  let afterColon = false
  let done = false
  for await (const chunk of body) {
    let hit = -1
    for (let at = 0; at < chunk.length && !done; at++) {
      if (afterColon) {
        hit = at
        done = true
      } else if (chunk[at] === newline) currentRow += 1
      else if (chunk[at] === colon && currentRow === row) afterColon = true
    }
    yield flipped(chunk, hit)
  }
}

const tailBytes = 200

async function* corruptEnd(
  body: Body,
  { ms, byte }: Extract<Fault, { kind: 'corrupt-late' }>,
  signal: AbortSignal,
): Body {
  let end: Uint8Array = new Uint8Array()
  for await (const chunk of body) {
    const bytes = Buffer.concat([end, chunk])
    const endStart = Math.max(0, bytes.length - tailBytes)
    if (endStart > 0) yield bytes.subarray(0, endStart)
    end = bytes.subarray(endStart)
  }
  await sleep(ms, undefined, { signal })
  yield flipped(end, end.length - byte)
}

function flipped(chunk: Uint8Array, at: number): Uint8Array {
  if (at < 0 || at >= chunk.length) return chunk
  const copy = Uint8Array.from(chunk)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
