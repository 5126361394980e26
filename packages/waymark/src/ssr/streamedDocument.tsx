import type { ReactFormState } from 'react-dom/client'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { abandoned, ignoreAbandoned } from '../shared/abandoned.ts'
import { type ByteChannel, createByteChannel } from '../shared/byteChannel.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { entryTag } from './clientScripts.ts'
import { DecodedRoot, type PayloadSource } from './decodedRoot.tsx'
import type { RenderOptions } from './documentOptions.ts'
import { interleaveFlight } from './interleave.ts'
import { createPayloadScanner } from './payloadReader.ts'

/**
 * Renders a payload that is still arriving.
 * @returns once the shell can be sent
 * @throws what the shell threw
 */
export async function streamDocument(
  flight: ByteChannel,
  options: RenderOptions,
  formState: ReactFormState | null,
): Promise<AsyncIterable<Uint8Array>> {
  const html = createByteChannel()
  const late: string[] = []
  const lateMarkup = neverThrows(options.lateMarkup, '')
  const onError = (thrown: unknown) => {
    late.push(lateMarkup(thrown))
    return options.onError(thrown)
  }
  const { passive, nonce, hasFormKeys } = options
  const source = { flight, passive, payload: null }
  const stream = await renderShell(source, { onError, nonce, formState })
  stream.pipe(html.destination)
  const headStart = options.headStart + entryTag(nonce)
  const reader = createPayloadScanner(passive)
  const abort = () => stream.abort(abandoned)
  return interleaveFlight(html, flight, { headStart, late, nonce, hasFormKeys, reader, abort })
}

type ShellOptions = Pick<RenderOptions, 'onError' | 'nonce'> & {
  readonly formState: ReactFormState | null
}

function renderShell(
  source: PayloadSource,
  { onError, nonce, formState }: ShellOptions,
): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(<DecodedRoot source={source} />, {
      onShellReady: neverThrows(() => resolve(stream), undefined),
      onShellError: neverThrows(reject, undefined),
      onError: neverThrows(ignoreAbandoned(onError), ''),
      nonce,
      formState,
    })
  })
}
