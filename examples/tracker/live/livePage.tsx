'use client'

import { useEffect } from 'react'
import { useRouter } from 'waymark/client'

/** Refreshes the page after changes, at most every 300 ms. */
export function LivePage() {
  const router = useRouter()
  useEffect(() => {
    const events = new EventSource('/events')
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        if (!document.hidden) void router.refresh()
      }, 300)
    }
    events.addEventListener('message', refresh)
    // Catch up after the tab was in the background.
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearTimeout(timer)
      events.close()
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [router])
  return null
}
