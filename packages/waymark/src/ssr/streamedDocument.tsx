import { createFromNodeStream, getClientEntryUrl } from '@vitejs/plugin-rsc/ssr.node'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { PageRoot } from '../client/root.tsx'
import { abandoned, ignoringAbandoned } from '../shared/abandoned.ts'
import { type ByteChannel, createByteChannel } from '../shared/byteChannel.ts'
import type { Payload } from '../shared/payload.ts'
import { channelStream } from './channelStream.ts'
import type { DocumentOptions } from './documentOptions.ts'
import { interleave } from './interleave.ts'

/**
 * Renders a payload that is still arriving.
 * @returns once the shell can be sent
 * @throws what the shell threw
 */
export async function streamDocument(
  flight: ByteChannel,
  options: DocumentOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const payload = await createFromNodeStream<Payload>(channelStream(flight))
  const html = createByteChannel()
  const stream = await renderShell(payload, options)
  stream.pipe(html.destination)
  return interleave(html, flight, { ...options, abort: () => stream.abort(abandoned) })
}

function renderShell(
  payload: Payload,
  { onError, nonce }: DocumentOptions,
): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(<PageRoot page={payload} />, {
      bootstrapModules: [getClientEntryUrl()],
      onShellReady: () => resolve(stream),
      onShellError: reject,
      onError: ignoringAbandoned(onError),
      ...(nonce ? { nonce } : {}),
    })
  })
}
