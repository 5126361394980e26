'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page behind a layout that may still refuse: `early` tags in the document, the
 * others in the browser.
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
