import type { ReactFormState } from 'react-dom/client'
import type { ByteChannel } from '../shared/stream.ts'
import { readFormState } from './decodeFlight.tsx'
import type { DocumentOptions, RenderOptions } from './documentOptions.ts'
import { streamDocument } from './streamedDocument.tsx'
import { renderWholeDocument } from './wholeDocument.tsx'

export { renderShell, resumeDocument } from './partialDocument.tsx'

/**
 * Renders a payload to HTML, with the same payload inlined for the client.
 * @param flight the payload as the `rsc` environment writes it
 * @returns a text when the payload was whole, else a stream
 * @throws what the shell threw: then nothing of the document can be sent
 */
export function renderDocument(
  flight: ByteChannel,
  options: DocumentOptions,
): Promise<string | AsyncIterable<Uint8Array>> {
  const { formState: written } = options
  return written
    ? readFormState(written).then((formState) => render(flight, options, formState))
    : render(flight, options, null)
}

function render(
  flight: ByteChannel,
  options: RenderOptions,
  formState: ReactFormState | null,
): Promise<string | AsyncIterable<Uint8Array>> {
  return flight.ended
    ? renderWholeDocument(flight.pieces, options, formState)
    : streamDocument(flight, options, formState)
}
