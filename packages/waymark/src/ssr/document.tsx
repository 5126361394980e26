import { createFromNodeStream, getClientEntryUrl } from '@vitejs/plugin-rsc/ssr.node'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { PayloadRoot } from '../client/root.tsx'
import { type ByteChannel, createByteChannel } from '../shared/byteChannel.ts'
import type { Payload } from '../shared/payload.ts'
import { decodableStream } from './decodableStream.ts'
import { streamedDocument, wholeDocument } from './join.ts'

/** What a document is rendered with. */
export type DocumentOptions = {
  readonly onError: (error: unknown) => string | undefined
  readonly nonce?: string
}

/**
 * Renders a payload to HTML, with the same payload inlined for the client.
 * @param flight the payload as the `rsc` environment writes it
 * @returns the whole document when it was ready at once, else a stream of it
 * @throws what the shell threw: then nothing of the document can be sent
 */
export async function renderDocument(
  flight: ByteChannel,
  { onError, nonce }: DocumentOptions,
): Promise<string | AsyncIterable<Uint8Array>> {
  const html = createByteChannel()
  const payload: Promise<Payload> = createFromNodeStream(decodableStream(flight))
  const model = await payload
  const stream = await new Promise<PipeableStream>((resolve, reject) => {
    const rendering = renderToPipeableStream(<PayloadRoot payload={model} />, {
      bootstrapModules: [getClientEntryUrl()],
      onShellReady: () => resolve(rendering),
      onShellError: reject,
      onError,
      ...(nonce ? { nonce } : {}),
    })
  })
  stream.pipe(html.destination)
  if (html.ended && flight.ended) return wholeDocument(html.pieces, flight.pieces)
  return streamedDocument(html, flight, () => stream.abort())
}
