import type { ReactNode } from 'react'

let hasWarned = false

/** Renders nothing. In the App Router, pages export `metadata` instead. */
export default function Head(_props: { readonly children?: ReactNode }): ReactNode {
  if (!hasWarned) {
    console.warn('<Head> has no effect in app/. Export metadata or generateMetadata instead.')
  }
  hasWarned = true
  return null
}
