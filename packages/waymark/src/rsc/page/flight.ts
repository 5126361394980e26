import { renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import { captureOwnerStack } from 'react'
import { createFrameWriter } from '../../http/frameWriter.ts'
import type { ResponseBody, StreamedBody } from '../../http/response.ts'
import {
  abandoned,
  type ByteChannel,
  type ByteChunk,
  createBodyQueue,
  createByteChannel,
  ignoreAbandoned,
  startHeartbeat,
} from '../../http/stream.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { createTaintCheck } from '../security/taint.ts'
import { observeSuspension } from './suspension.ts'

/** A payload that is being written. */
export type FlightRender = ReturnType<typeof renderFlight>

type FlightOptions = {
  /** Returns a last row, which is written once React has written all others, and to which nothing refers. */
  readonly lastRow?: (() => string) | undefined
  /** Gets the key of each client reference, before the row that holds the reference is written. */
  readonly onClientFile?: (key: string) => void
}

/** @param onError returns the digest, the only part of an error that the client gets */
export function renderFlight(
  model: unknown,
  onError: (thrown: unknown) => string,
  { lastRow, onClientFile = () => {} }: FlightOptions = {},
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
  const onClientReference = ({ id }: { readonly id: string }) => onClientFile(id)
  const { pipe, abort } = renderToPipeableStream(
    model,
    { onError: neverThrows(ignoreAbandoned(located), '') },
    { onClientReference: neverThrows(onClientReference, undefined) },
  )
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

/** Puts a payload into frames: at once if it is complete, else while it is rendered. */
export function flightBody(render: FlightRender): ResponseBody {
  return render.channel.ended ? wholeFlightBody(render.channel) : follow(render)
}

/** A payload that has ended, in frames. */
export function wholeFlightBody({ pieces }: Pick<ByteChannel, 'pieces'>): Uint8Array {
  return createFrameWriter().write(pieces, true)
}

function follow({ channel, abandon }: FlightRender): StreamedBody {
  const queue = createBodyQueue()
  const frames = createFrameWriter()
  const pieces: ByteChunk[] = []
  const flush = () => {
    if (pieces.length > 0) queue.push(frames.write(pieces.splice(0), false))
  }
  const stopHeartbeat = startHeartbeat(() => queue.push(frames.write(pieces.splice(0), false)))
  channel.listen({
    piece: (piece) => pieces.push(piece),
    flush,
    end() {
      stopHeartbeat()
      queue.push(frames.write(pieces.splice(0), true))
      queue.end()
    },
    fail(error) {
      stopHeartbeat()
      queue.fail(error)
    },
  })
  // For the pieces of earlier flushes.
  flush()
  const body = queue.body(() => {
    stopHeartbeat()
    abandon()
  })
  return Object.assign(body, { stopHeartbeat })
}
