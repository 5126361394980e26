import type { ReactFormState } from 'react-dom/client'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import type { DocumentOptions } from '../http/documentRenderer.ts'
import type { StreamedBody } from '../http/response.ts'
import {
  abandoned,
  type ByteChannel,
  type ByteChunk,
  createBodyQueue,
  createByteChannel,
  ignoreAbandoned,
  joinPieces,
  startHeartbeat,
} from '../http/stream.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { entryTag } from './clientFiles.ts'
import { channelSource, DecodedRoot } from './decodeFlight.tsx'
import { createDocumentWriter, type DocumentWriter } from './documentWriter.tsx'

/**
 * Renders a document as a stream. Resolves once the shell can be sent.
 * @throws the shell's error
 */
export async function streamDocument(
  channel: ByteChannel,
  options: DocumentOptions,
  formState: ReactFormState | null,
): Promise<StreamedBody> {
  const { nonce, incompleteHead = '' } = options
  // React finds the places of later content by their ids. With a random prefix, content can't guess
  // them.
  const identifierPrefix = crypto.randomUUID().slice(0, 8)
  const headStart = incompleteHead + options.headStart + entryTag(nonce, identifierPrefix)
  const writer = createDocumentWriter({ ...options, headStart })
  const source = await channelSource(channel, options)
  const stream = await new Promise<PipeableStream>((resolve, reject) => {
    const rendering = renderToPipeableStream(
      <DecodedRoot source={source} insert={writer.insert} />,
      {
        onShellReady: neverThrows(() => resolve(rendering), undefined),
        onShellError: neverThrows(reject, undefined),
        onError: neverThrows(ignoreAbandoned(writer.failAfterBegin), ''),
        nonce,
        formState,
        identifierPrefix,
      },
    )
  })
  return interleaveFlight(stream, channel, writer)
}

/** Writes the payload between pieces of HTML. React calls `flush` only after whole tags. */
export function interleaveFlight(
  stream: PipeableStream,
  channel: ByteChannel,
  writer: DocumentWriter,
): StreamedBody {
  const queue = createBodyQueue()
  const htmlPieces: ByteChunk[] = []
  const flightPieces: ByteChunk[] = []
  let running = 2
  const html = createByteChannel()
  stream.pipe(html.destination)

  function flush(): void {
    let text = ''
    try {
      text = writer.html(joinPieces(htmlPieces.splice(0)).toString())
    } catch (error) {
      giveUp()
      throw error
    }
    // Before the first HTML, there is nothing to hydrate and no place for a script.
    if (writer.hasBegun() && flightPieces.length > 0) {
      text += writer.payload(flightPieces.splice(0))
    }
    if (text !== '') queue.push(Buffer.from(text))
  }
  const stop = startHeartbeat(() => {
    if (writer.hasBegun()) queue.push(Buffer.from(writer.heartbeat()))
  })
  function giveUp(): void {
    stop()
    stream.abort(abandoned)
  }
  function fail(error: unknown): void {
    stop()
    queue.fail(error)
  }
  function end(): void {
    flush()
    if (--running > 0) return
    stop()
    queue.push(Buffer.from(writer.end()))
    queue.end()
  }
  html.listen({ piece: (piece) => htmlPieces.push(piece), flush, end, fail })
  channel.listen({
    piece(piece) {
      flightPieces.push(piece)
      if (htmlPieces.length === 0) flush()
    },
    end,
    fail,
  })
  // React wrote the shell before the listeners were attached, so flush once now.
  flush()
  return Object.assign(queue.body(giveUp), { stopHeartbeat: stop })
}
