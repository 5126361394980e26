// One chunk with the router and the built-in screens, which browsers load once the page is usable.

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
 * Loads the code of all client components that the document's payload refers to. React hasn't read
 * the payload yet, and by the time it does, this build's assets may no longer exist.
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
