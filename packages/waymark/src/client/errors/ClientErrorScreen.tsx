import type { ReactNode } from 'react'
import { applicationModel, screenModel, screenOfStatus } from '../../screens/model.ts'
import { Screen, ScreenPage } from '../../screens/Screen.tsx'
import { documentLocale } from '../document/documentLocale.ts'

/** The built-in screen of an error that no boundary of the app has caught. */
export function ClientErrorScreen({ digest }: { digest: string | undefined }): ReactNode {
  const { host } = window.location
  const error = { kind: 'application', side: 'client', host, digest } as const
  return <ScreenPage model={applicationModel(error, documentLocale())} />
}

/** The built-in screen of a status: in its layout, or as a document where there is none. */
export function ClientStatusScreen(props: { status: number; isDocument: boolean }): ReactNode {
  const model = screenModel(screenOfStatus(props.status), documentLocale())
  return props.isDocument ? <ScreenPage model={model} /> : <Screen model={model} as="div" />
}
