import type { ReactNode } from 'react'

export type ErrorProps = {
  readonly statusCode: number
  readonly title?: string
  readonly withDarkMode?: boolean
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'This page could not be found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
}

/** A page that shows a status and a message. */
export default function ErrorPage({
  statusCode,
  title = titles[statusCode],
}: ErrorProps): ReactNode {
  return (
    <main
      style={{ minHeight: '60vh', display: 'grid', placeContent: 'center', textAlign: 'center' }}
    >
      <h1>{statusCode}</h1>
      <p>{title ?? 'An unexpected error has occurred'}.</p>
    </main>
  )
}
