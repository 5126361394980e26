import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import { type ReactNode, use } from 'react'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { PageRoot } from '../client/root.tsx'
import { abandoned, ignoringAbandoned } from '../shared/abandoned.ts'
import { type ByteChannel, createByteChannel } from '../shared/byteChannel.ts'
import type { Payload } from '../shared/payload.ts'
import { channelStream } from './channelStream.ts'
import { entryTag, preloadScripts } from './clientScripts.ts'
import type { RenderOptions } from './documentOptions.ts'
import { joinBytes } from './flightText.ts'
import { interleave } from './interleave.ts'
import { createPayloadReader } from './payloadReader.ts'

/**
 * Renders a payload that is still arriving.
 * @returns once the shell can be sent
 * @throws what the shell threw
 */
export async function streamDocument(
  flight: ByteChannel,
  options: RenderOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const html = createByteChannel()
  const late: string[] = []
  const onError = (thrown: unknown) => {
    late.push(options.lateMarkup(thrown))
    return options.onError(thrown)
  }
  const { passive, nonce } = options
  const source = { flight, passive, payload: null }
  const stream = await renderShell(source, { ...options, onError })
  stream.pipe(html.destination)
  const headStart = options.headStart + entryTag(nonce)
  const reader = createPayloadReader(passive)
  const abort = () => stream.abort(abandoned)
  return interleave(html, flight, { headStart, late, nonce, reader, abort })
}

type Source = {
  readonly flight: ByteChannel
  readonly passive: ReadonlySet<string>
  payload: PromiseLike<Payload> | null
}

function renderShell(
  source: Source,
  { onError, nonce, formState }: RenderOptions,
): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(<DecodedRoot source={source} />, {
      onShellReady: () => resolve(stream),
      onShellError: reject,
      onError: ignoringAbandoned(onError),
      ...(nonce ? { nonce } : {}),
      ...(formState ? { formState } : {}),
    })
  })
}

// Decoding begins within the render: the hints that it finds (styles, modules) belong to it.
function DecodedRoot({ source }: { source: Source }): ReactNode {
  source.payload ??= decode(source)
  return <PageRoot page={use(source.payload as Promise<Payload>)} />
}

function decode({ flight, passive }: Source): PromiseLike<Payload> {
  const reader = createPayloadReader(passive)
  reader.read(joinBytes(flight.pieces).toString())
  // What turns out to be so later on is told to the entry, which loads it.
  if (reader.isInteractive) preloadScripts(reader.files)
  return createFromNodeStream<Payload>(channelStream(flight))
}
