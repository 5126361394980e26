'use client'

import { type ReactNode, useContext, useEffect, useState } from 'react'
import type { Payload } from '../shared/payload.ts'
import { AnswerSignal, CatchErrors, signalIn } from './boundary.tsx'
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

/** The built-in screen; until its code is there, and where it can't be had, plain words. */
function BuiltInScreen({ digest }: { digest: string | undefined }): ReactNode {
  const { late } = useContext(RouterContext)
  const [code, setCode] = useState(late.loaded)
  useEffect(() => {
    if (!code) late.load().then(setCode, () => {})
  }, [late, code])
  if (code) return <code.ClientErrorScreen digest={digest} />
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta name="viewport" content="width=device-width" />
        <title>Application error</title>
      </head>
      <body>
        <h1>This page has failed in the browser.</h1>
        <p>{digest}</p>
        <a href={window.location.href} data-waymark-document="">
          Reload
        </a>{' '}
        <a href="/" data-waymark-document="">
          Home
        </a>
      </body>
    </html>
  )
}
