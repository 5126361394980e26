'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Refreshes the page when the board has changed. */
export function Live() {
  const router = useRouter()
  useEffect(() => {
    const events = new EventSource('/board/changes')
    events.onmessage = () => router.refresh()
    // Fetches changes that were missed before a reconnect.
    events.onopen = () => router.refresh()
    return () => events.close()
  }, [router])
  return null
}
