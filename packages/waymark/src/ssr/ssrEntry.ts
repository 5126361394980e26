import type { DocumentRenderer } from '../shared/documentRenderer.ts'
import { readFormState } from './decodeFlight.tsx'
import { resumeDocument as resume, renderShell as shell } from './partialDocument.tsx'
import { streamDocument } from './streamedDocument.tsx'
import { renderWholeDocument } from './wholeDocument.tsx'

const renderer: DocumentRenderer = {
  async renderDocument(flight, options) {
    const formState = options.formState ? await readFormState(options.formState) : null
    return flight.ended
      ? renderWholeDocument(flight.pieces, options, formState)
      : streamDocument(flight, options, formState)
  },
  renderShell: shell,
  resumeDocument: resume,
}

/** What the `rsc` environment loads. */
export const { renderDocument, renderShell, resumeDocument } = renderer
