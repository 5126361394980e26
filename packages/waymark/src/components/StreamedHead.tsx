'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page that a layout may still refuse. The document contains only `initialTags`, and the
 * browser adds the other tags later.
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
  // A Suspense boundary needs comments in the HTML to be hydrated, and React can't write any outside of
  // <html>. So the boundary is added after hydration.
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
