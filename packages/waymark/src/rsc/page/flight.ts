import { crc32 } from 'node:zlib'
import { renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import { captureOwnerStack } from 'react'
import type { ResponseBody, StreamedBody } from '../../http/response.ts'
import {
  abandoned,
  type ByteChannel,
  createBodyQueue,
  createByteChannel,
  ignoreAbandoned,
  joinPieces,
  startHeartbeat,
} from '../../http/stream.ts'
import { rowEnd } from '../../react/rsc/rowEnd.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import {
  checksumTrailerBytes,
  writeChecksumRow,
  writeChecksumTrailer,
} from '../../wire/checksum.ts'
import { createTaintCheck } from '../security/taint.ts'
import { observeSuspension } from './suspension.ts'

/** A payload that is being written. */
export type FlightRender = ReturnType<typeof renderFlight>

/**
 * @param onError its result is all that the client gets of an error
 * @param lastRow a row that nothing refers to, written once React has written all
 */
export function renderFlight(
  model: unknown,
  onError: (thrown: unknown) => string,
  lastRow?: () => string,
) {
  const check = createTaintCheck()
  const report = neverThrows(onError, '')
  const channel = createByteChannel((piece) => {
    const refusal = check(piece)
    if (refusal) report(refusal)
    return refusal
  }, lastRow)
  const located = (thrown: unknown): string => {
    if (import.meta.env.DEV) addOwnerStack(thrown)
    return onError(thrown)
  }
  observeSuspension(renderToPipeableStream)
  const { pipe, abort } = renderToPipeableStream(model, {
    onError: neverThrows(ignoreAbandoned(located), ''),
  })
  pipe(channel.destination)
  return {
    channel: channel as ByteChannel,
    /** Stops the rendering. */
    abandon: () => abort(abandoned),
  }
}

/** What React itself throws of a prop has a stack within React: this says which element has it. */
function addOwnerStack(thrown: unknown): void {
  const owners = captureOwnerStack?.()
  if (owners && thrown instanceof Error && thrown.stack) thrown.stack += mapOwnerStack(owners)
}

let mapOwnerStack = (stack: string): string => stack

/** For the dev server: React gives the places in the code that runs. */
export function attachStackMap(map: (stack: string) => string): void {
  mapOwnerStack = map
}

// Of the event loop: React runs a resumed task in one, and writes its row in another.
const idleTurns = 2
// A rendering that writes in each turn is not waited for longer.
const maxTurns = 8

/** React is idle once nothing was written in two turns. Only this place knows when it works. */
export async function whenIdle(channel: ByteChannel): Promise<void> {
  let written = channel.pieces.length
  let idle = 0
  for (let turn = 0; turn < maxTurns && idle < idleTurns && !channel.ended; turn++) {
    await new Promise(setImmediate)
    idle = channel.pieces.length === written ? idle + 1 : 0
    written = channel.pieces.length
  }
}

/** Waits for a channel's end. */
export function ends(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}

/** A payload as a body, with its end mark: whole if it has ended, else as it comes. */
export function flightBody(render: FlightRender): ResponseBody {
  return render.channel.ended ? wholeFlightBody(render.channel) : follow(render)
}

/** A payload that has ended, with its end mark. */
export function wholeFlightBody({ pieces }: Pick<ByteChannel, 'pieces'>): Uint8Array {
  const bytes = joinPieces([...pieces, new Uint8Array(checksumTrailerBytes)])
  const end = bytes.length - checksumTrailerBytes
  const verifiable = end < 2 * bytesPerChecksum ? null : withChecksumRows(bytes.subarray(0, end))
  if (verifiable) return verifiable
  bytes.write(writeChecksumTrailer(crc32(bytes.subarray(0, end))), end)
  return bytes
}

// A browser shows nothing of data that no checksum covers yet. Smaller data has its end mark only.
const bytesPerChecksum = 16_384

/** Lets a browser show a large payload while it loads. @returns `null` for rows of unknown form */
function withChecksumRows(payload: Buffer): Uint8Array | null {
  const parts: Uint8Array[] = []
  let checksum = 0
  let partStart = 0
  const add = (part: Uint8Array) => {
    parts.push(part)
    checksum = crc32(part, checksum)
  }
  for (let at = 0; at < payload.length; ) {
    at = rowEnd(payload, at)
    if (at === -1 || at > payload.length) return null
    if (at - partStart < bytesPerChecksum || at === payload.length) continue
    add(payload.subarray(partStart, at))
    add(Buffer.from(writeChecksumRow(parts.length, checksum)))
    partStart = at
  }
  add(payload.subarray(partStart))
  return Buffer.concat([...parts, Buffer.from(writeChecksumTrailer(checksum))])
}

function follow({ channel, abandon }: FlightRender): StreamedBody {
  const queue = createBodyQueue()
  let checksum = 0
  let checksumRows = 0
  let isVerifiable = true
  const push = (bytes: Uint8Array) => {
    checksum = crc32(bytes, checksum)
    isVerifiable = false
    queue.push(bytes)
  }
  // Browsers show only what a checksum covers.
  const pushChecksum = () => {
    if (isVerifiable) return
    push(Buffer.from(writeChecksumRow(checksumRows++, checksum)))
    isVerifiable = true
  }
  const stopHeartbeat = startHeartbeat((row) => push(Buffer.from(row)))
  channel.listen({
    piece: (piece) => push(typeof piece === 'string' ? Buffer.from(piece) : piece),
    flush: pushChecksum,
    end() {
      stopHeartbeat()
      queue.push(Buffer.from(writeChecksumTrailer(checksum)))
      queue.end()
    },
    fail(error) {
      stopHeartbeat()
      queue.fail(error)
    },
  })
  // For the pieces of earlier flushes.
  pushChecksum()
  const body = queue.body(() => {
    stopHeartbeat()
    abandon()
  })
  return Object.assign(body, { stopHeartbeat })
}
