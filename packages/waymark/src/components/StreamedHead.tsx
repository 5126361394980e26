'use client'

import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * The head of a page to which a layout may still refuse access. The document only contains
 * `initialTags`; the browser adds the rest later.
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
  // Add the Suspense boundary only after hydration. To hydrate it, React would need comments in the
  // HTML, which it can't write outside of <html>.
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
