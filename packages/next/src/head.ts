import type { ReactNode } from 'react'

let hasWarned = false

/** Without effect in the App Router: what a page says of itself is its `metadata`. */
export default function Head(_props: { readonly children?: ReactNode }): ReactNode {
  if (!hasWarned) {
    console.warn('<Head> has no effect in app/: export metadata or generateMetadata instead.')
  }
  hasWarned = true
  return null
}
