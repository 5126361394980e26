// Keep this import first: `clientFiles.ts` must run before plugin-rsc.
import './clientFiles.ts'
import type { ReactFormState } from 'react-dom/client'
import type { DocumentRenderer } from '../http/documentRenderer.ts'
import type { StreamedBody } from '../http/response.ts'
import { runWithVariant } from './clientUrls.ts'
import { decodeDocumentFormState } from './decodeFlight.tsx'
import { renderShellDocument, resumeShellDocument } from './partialDocument.tsx'
import { streamDocument } from './streamedDocument.tsx'
import { renderWholeDocument } from './wholeDocument.tsx'

// The `rsc` environment imports this file.

export const renderDocument: DocumentRenderer['renderDocument'] = (channel, options) => {
  const render = (formState: ReactFormState | null): Promise<string | StreamedBody> =>
    channel.ended
      ? renderWholeDocument(channel.pieces, options, formState)
      : streamDocument(channel, options, formState)
  return runWithVariant(options.variant, () =>
    options.formState ? decodeDocumentFormState(options.formState).then(render) : render(null),
  )
}

export const renderShell: DocumentRenderer['renderShell'] = (channel, options) =>
  runWithVariant(options.variant, () => renderShellDocument(channel, options))

export const resumeDocument: DocumentRenderer['resumeDocument'] = (channel, options) =>
  runWithVariant(options.variant, () => resumeShellDocument(channel, options))
