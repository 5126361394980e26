import type { ReactFormState } from 'react-dom/client'
import type { DocumentRenderer } from '../shared/documentRenderer.ts'
import type { StreamedBody } from '../shared/response.ts'
import { readFormState } from './decodeFlight.tsx'
import { resumeDocument as resume, renderShell as shell } from './partialDocument.tsx'
import { streamDocument } from './streamedDocument.tsx'
import { renderWholeDocument } from './wholeDocument.tsx'

const renderer: DocumentRenderer = {
  renderDocument(flight, options) {
    const render = (formState: ReactFormState | null): Promise<string | StreamedBody> =>
      flight.ended
        ? renderWholeDocument(flight.pieces, options, formState)
        : streamDocument(flight, options, formState)
    return options.formState ? readFormState(options.formState).then(render) : render(null)
  },
  renderShell: shell,
  resumeDocument: resume,
}

/** What the `rsc` environment loads. */
export const { renderDocument, renderShell, resumeDocument } = renderer
