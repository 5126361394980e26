import type { DocumentRenderer } from '../shared/documentRenderer.ts'
import { readFormState } from './decodeFlight.tsx'
import { streamDocument } from './streamedDocument.tsx'
import { renderWholeDocument } from './wholeDocument.tsx'

// What the `rsc` environment loads.
export { renderShell, resumeDocument } from './partialDocument.tsx'

export const renderDocument: DocumentRenderer['renderDocument'] = async (flight, options) => {
  const formState = options.formState ? await readFormState(options.formState) : null
  return flight.ended
    ? renderWholeDocument(flight.pieces, options, formState)
    : streamDocument(flight, options, formState)
}
