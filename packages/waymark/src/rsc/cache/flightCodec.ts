import {
  createClientTemporaryReferenceSet,
  createFromReadableStream,
  createTemporaryReferenceSet,
  decodeReply,
  encodeReply,
  renderToPipeableStream,
} from '@vitejs/plugin-rsc/rsc.node'
import { createByteChannel, joinPieces } from '../../http/stream.ts'
import { renderingState } from '../../shared/cachedRendering.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { keyOfBody, withoutBlobDates } from './argumentKey.ts'
import type { Codec, KeyedArguments } from './readCached.ts'

type ServerReferences = ReturnType<typeof createTemporaryReferenceSet>
type ClientReferences = ReturnType<typeof createClientTemporaryReferenceSet>

export const flightCodec: Codec = {
  encodeArguments,
  encode: (run) => encode(run),
  decode: (bytes) => decode(bytes),
}

/**
 * Encodes arguments. Elements and functions aren't part of the key, because each caller gets its
 * own ones back in the result.
 */
async function encodeArguments(args: readonly unknown[]): Promise<KeyedArguments> {
  const clientReferences = createClientTemporaryReferenceSet()
  const body = withoutBlobDates(
    await encodeReply([...args], { temporaryReferences: clientReferences }),
  )
  const placeholders = createTemporaryReferenceSet()
  return {
    key: await keyOfBody(body),
    restore: () => decodeReply(body, { temporaryReferences: placeholders }),
    encode: (run) => encode(run, placeholders),
    decode: (bytes) => decode(bytes, clientReferences),
  }
}

async function encode(run: () => unknown, temporaryReferences?: ServerReferences) {
  const channel = createByteChannel()
  const failures: unknown[] = []
  let hasClientReferences = false
  const onError = (thrown: unknown) => {
    failures.push(thrown)
    return ''
  }
  const onClientReference = () => {
    hasClientReferences = true
  }
  let running: Promise<unknown> | null = null
  // React calls `then` while it renders. Start the function there, so that its code and the
  // rendering of its result share one `cache()`.
  const result: PromiseLike<unknown> = {
    // biome-ignore lint/suspicious/noThenProperty: a promise that begins when it is awaited
    then(...handlers) {
      renderingState().isCached = true
      running ??= new Promise((resolve) => resolve(run()))
      return running.then(...handlers)
    },
  }
  renderToPipeableStream(
    result,
    { onError: neverThrows(onError, ''), ...(temporaryReferences ? { temporaryReferences } : {}) },
    { onClientReference: neverThrows(onClientReference, undefined) },
  ).pipe(channel.destination)
  await new Promise<void>((resolve, reject) => {
    channel.listen({ piece() {}, end: resolve, fail: reject })
  })
  if (failures.length > 0) throw failures[0]
  return { bytes: joinPieces(channel.pieces), hasClientReferences }
}

function decode(bytes: Uint8Array, temporaryReferences?: ClientReferences): Promise<unknown> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  return createFromReadableStream(stream, temporaryReferences ? { temporaryReferences } : {})
}
