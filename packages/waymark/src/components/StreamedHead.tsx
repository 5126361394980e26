'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page whose layout may still refuse it: the document has the `initialTags`, and the
 * browser adds the others.
 */
export function StreamedHead({
  initialTags,
  page,
  children,
}: {
  initialTags: ReactNode
  page: string
  children?: ReactNode
}): ReactNode {
  // Beside <html>, the server can't write the marks that a boundary needs to be hydrated.
  const isHydrated = useSyncExternalStore(noChanges, yes, no)
  return isHydrated ? (
    <Suspense key={page} fallback={initialTags}>
      {children}
    </Suspense>
  ) : (
    initialTags
  )
}

const noChanges = () => () => {}
const yes = () => true
const no = () => false
