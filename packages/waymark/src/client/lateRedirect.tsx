'use client'

import { type ReactNode, useEffect } from 'react'
import { useRouter } from './router.ts'

/**
 * A redirect that came after the page had begun: by the router, or where no script runs, by the
 * browser itself.
 */
export function LateRedirect({ location }: { location: string }): ReactNode {
  const router = useRouter()
  useEffect(() => {
    void router.replace(location)
  }, [router, location])
  return <meta httpEquiv="refresh" content={`0;url=${location}`} />
}
