'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page behind a layout that has not let the request pass yet: in the document that
 * of what stands in front of it, and in the browser the page's own, once it is there.
 * @param early tags, known at once
 * @param page another one for each page: a new one does not wait behind the tags of the last
 */
export function LateHead({
  early,
  page,
  children,
}: {
  early: ReactNode
  page: string
  children?: ReactNode
}): ReactNode {
  // Beside <html>, the server can't write the marks that a boundary needs to be hydrated.
  const isHydrated = useSyncExternalStore(noChanges, yes, no)
  return isHydrated ? (
    <Suspense key={page} fallback={early}>
      {children}
    </Suspense>
  ) : (
    early
  )
}

const noChanges = () => () => {}
const yes = () => true
const no = () => false
