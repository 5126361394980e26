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
  /**
   * Returns a last row, which no other row refers to. Called when React has written all of its
   * rows.
   */
  readonly lastRow?: (() => string) | undefined
  /**
   * Called with the key of each client reference, before React writes the row with the reference.
   */
  readonly onClientFile?: (key: string) => void
}

/**
 * Renders a payload as Flight. @param onError returns the error's digest, which is all that the
 * client gets
 */
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
    /** Stops rendering because nobody needs the payload any more. */
    abandon: () => abort(abandoned),
  }
}

/**
 * Adds the owner stack to an error. For an error about props, the normal stack only contains
 * React's frames, while the owner stack shows the element.
 */
function addOwnerStack(thrown: unknown): void {
  const owners = captureOwnerStack?.()
  if (owners && thrown instanceof Error && thrown.stack) thrown.stack += mapOwnerStack(owners)
}

let mapOwnerStack = (stack: string): string => stack

/** Sets the function with which the dev server maps positions in transformed code to source files. */
export function attachStackMap(map: (stack: string) => string): void {
  mapOwnerStack = map
}

// Turns of the event loop without output after which React counts as idle. React runs a resumed
// task in one turn and writes its row in a later one.
const idleTurns = 2
// Maximum turns to wait if React writes something in each of them.
const maxTurns = 8

/**
 * Waits until React has written nothing for two turns of the event loop. No other function depends
 * on how React schedules its work.
 */
export async function whenIdle(channel: ByteChannel): Promise<void> {
  let written = channel.pieces.length
  let idle = 0
  for (let turn = 0; turn < maxTurns && idle < idleTurns && !channel.ended; turn++) {
    await new Promise(setImmediate)
    idle = channel.pieces.length === written ? idle + 1 : 0
    written = channel.pieces.length
  }
}

export function ends(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}

/** Splits a payload into frames: at once if it is complete, otherwise while React renders it. */
export function flightBody(render: FlightRender): ResponseBody {
  return render.channel.ended ? wholeFlightBody(render.channel) : follow(render)
}

/** Splits a complete payload into frames. */
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
  // Also send the pieces that arrived before this listener was added.
  flush()
  const body = queue.body(() => {
    stopHeartbeat()
    abandon()
  })
  return Object.assign(body, { stopHeartbeat })
}
