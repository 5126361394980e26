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

/** A payload that React is writing. */
export type FlightRender = ReturnType<typeof renderFlight>

type FlightOptions = {
  /** Returns the last row, written after all of React's rows. Nothing refers to it. */
  readonly lastRow?: (() => string) | undefined
  /** Called with the key of each client reference, before the row with the reference is written. */
  readonly onClientFile?: (key: string) => void
}

/** @param onError returns the digest; the client gets nothing else of an error */
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

/** For errors about props, React's stack has only React's frames. The owner stack names the element. */
function addOwnerStack(thrown: unknown): void {
  const owners = captureOwnerStack?.()
  if (owners && thrown instanceof Error && thrown.stack) thrown.stack += mapOwnerStack(owners)
}

let mapOwnerStack = (stack: string): string => stack

/** For the dev server: maps positions in transformed code to source files. */
export function attachStackMap(map: (stack: string) => string): void {
  mapOwnerStack = map
}

// React runs a resumed task in one iteration of the event loop, and writes its row in a later one.
const idleTurns = 2
// Stop waiting after this many turns, even if React wrote something in each of them.
const maxTurns = 8

/** Waits until React has written nothing for two turns. All knowledge about React's schedule is here. */
export async function whenIdle(channel: ByteChannel): Promise<void> {
  let written = channel.pieces.length
  let idle = 0
  for (let turn = 0; turn < maxTurns && idle < idleTurns && !channel.ended; turn++) {
    await new Promise(setImmediate)
    idle = channel.pieces.length === written ? idle + 1 : 0
    written = channel.pieces.length
  }
}

/** Waits for the end of a channel. */
export function ends(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}

/** Puts a payload into frames: at once if it is complete, otherwise while React renders it. */
export function flightBody(render: FlightRender): ResponseBody {
  return render.channel.ended ? wholeFlightBody(render.channel) : follow(render)
}

/** Puts a complete payload into frames. */
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
  // Send the pieces of earlier flushes.
  flush()
  const body = queue.body(() => {
    stopHeartbeat()
    abandon()
  })
  return Object.assign(body, { stopHeartbeat })
}
