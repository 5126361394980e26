import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import { type ReactNode, use } from 'react'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { PageRoot } from '../client/root.tsx'
import { abandoned, ignoringAbandoned } from '../shared/abandoned.ts'
import { type ByteChannel, createByteChannel } from '../shared/byteChannel.ts'
import type { Payload } from '../shared/payload.ts'
import { bootModule } from './bootModule.ts'
import { channelStream } from './channelStream.ts'
import type { RenderOptions } from './documentOptions.ts'
import { interleave } from './interleave.ts'

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
  const stream = await renderShell({ flight, payload: null }, { ...options, onError })
  stream.pipe(html.destination)
  return interleave(html, flight, { ...options, late, abort: () => stream.abort(abandoned) })
}

type Source = { readonly flight: ByteChannel; payload: PromiseLike<Payload> | null }

function renderShell(
  source: Source,
  { onError, nonce, formState }: RenderOptions,
): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(<DecodedRoot source={source} />, {
      bootstrapModules: [bootModule()],
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
  source.payload ??= createFromNodeStream<Payload>(channelStream(source.flight))
  return <PageRoot page={use(source.payload as Promise<Payload>)} />
}
