'use client'

import { type ReactNode, useContext, useState } from 'react'
import { ScreenPage } from '../screens/ScreenPage.tsx'
import type { Payload } from '../shared/payload.ts'
import { AnswerSignal, CatchErrors, signalIn } from './boundary.tsx'
import { documentLocale } from './locale.ts'
import { RouterContext } from './router.ts'

/**
 * Shows a whole document when something throws outside of any other boundary: the app's
 * `global-error`, else the built-in screen; the latter, too, when the former throws.
 */
export function RootBoundary({ page, children }: { page: Payload; children: ReactNode }) {
  const { router } = useContext(RouterContext)
  // Only a document tells: the data of further pages need not.
  const [own] = useState(page.globalError)
  return (
    <CatchErrors resetKey={page} fallback={(error) => <BuiltInScreen digest={error.digest} />}>
      <CatchErrors
        resetKey={page}
        fallback={(error, reset) => {
          if (signalIn(error)) return <AnswerSignal error={error} reset={reset} />
          if (!own) throw error
          const retry = () => void router.refresh().then(reset)
          return (
            <>
              {own.styles}
              <own.screen error={error} reset={reset} retry={retry} />
            </>
          )
        }}
      >
        {children}
      </CatchErrors>
    </CatchErrors>
  )
}

function BuiltInScreen({ digest }: { digest: string | undefined }): ReactNode {
  const { host } = window.location
  const screen = { kind: 'application', side: 'client', host, digest } as const
  return <ScreenPage screen={screen} locale={documentLocale()} />
}
