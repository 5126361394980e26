// Entry of the chunk with the router and the built-in screens. Browsers load the chunk once the
// page is usable.

import clientReferences from 'virtual:vite-rsc/client-references'
import type { ReactNode } from 'react'
import { applicationModel, screenModel, screenOfStatus } from '../screens/model.ts'
import { Screen, ScreenPage } from '../screens/Screen.tsx'
import { payloadBlock } from './document/documentStream.ts'
import { documentLocale } from './navigation/notice.ts'

export { retryImport } from './assets/retryImport.ts'
export { createRouter } from './createRouter.ts'
export { loadCurrentPage } from './recoverDocument.ts'

/**
 * Loads the code of all client components in the document's payload. React reads the payload later,
 * when the files of this build may no longer exist.
 */
export function loadNamedModules(document: Document): void {
  const text = payloadBlock(document)?.textContent ?? window.__waymark?.join('') ?? ''
  // Matches React's module rows. Text that merely looks like such a row is harmless, because its id
  // matches no module of the build.
  for (const [, id = ''] of text.matchAll(/:I\["([^"\\]+)"/g)) {
    // Ignore errors here: React requests the module later, and its error is reported then.
    if (Object.hasOwn(clientReferences, id)) clientReferences[id]?.().catch(() => {})
  }
}

export function ClientErrorScreen({ digest }: { digest: string | undefined }): ReactNode {
  const { host } = window.location
  const error = { kind: 'application', side: 'client', host, digest } as const
  return <ScreenPage model={applicationModel(error, documentLocale())} />
}

export function ClientStatusScreen(props: { status: number; isDocument: boolean }): ReactNode {
  const model = screenModel(screenOfStatus(props.status), documentLocale())
  return props.isDocument ? <ScreenPage model={model} /> : <Screen model={model} as="div" />
}
