import type { ReactNode } from 'react'
import { applicationModel } from '../../screens/model.ts'
import { ScreenPage } from '../../screens/Screen.tsx'
import { documentLocale } from '../document/documentLocale.ts'

/** The built-in screen of an error that no boundary of the app has caught. */
export function ClientErrorScreen({ digest }: { digest: string | undefined }): ReactNode {
  const { host } = window.location
  const error = { kind: 'application', side: 'client', host, digest } as const
  return <ScreenPage model={applicationModel(error, documentLocale())} />
}
