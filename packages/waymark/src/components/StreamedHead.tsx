'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page to which a layout may still refuse access. The document contains only
 * `initialTags`, and the browser adds the other tags later.
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
  // Add the Suspense boundary after hydration: hydrating it would need comments in the HTML, and
  // React can't write comments outside of <html>.
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
