'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Refreshes the page when it has changed. */
export function Live() {
  const router = useRouter()
  useEffect(() => {
    const events = new EventSource('/board/changes')
    events.onmessage = () => router.refresh()
    // What was missed meanwhile.
    events.onopen = () => router.refresh()
    return () => events.close()
  }, [router])
  return null
}
