/** The router and the built-in screens: one chunk, loaded once a page can be used. */

import clientReferences from 'virtual:vite-rsc/client-references'
import type { ReactNode } from 'react'
import { applicationModel, screenModel, screenOfStatus } from '../screens/model.ts'
import { Screen, ScreenPage } from '../screens/Screen.tsx'
import { payloadBlock } from './document/documentStream.ts'
import { documentLocale } from './navigation/notice.ts'

export { retryImport } from './assets/retryImport.ts'
export { createRouter } from './createRouter.ts'
export { loadCurrentPage } from './recoverDocument.ts'

/** Loads the code that a payload names, which React has not read: later, its assets may be gone. */
export function loadNamedModules(document: Document): void {
  const text = payloadBlock(document)?.textContent ?? window.__waymark?.join('') ?? ''
  // React's row of a module. What else looks like one names no module of the build.
  for (const [, id = ''] of text.matchAll(/:I\["([^"\\]+)"/g)) {
    // React asks again, and says what is missing.
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
