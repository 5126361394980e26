const firstPauseMs = 5_000
const maxPauseMs = 60_000

/** Milliseconds after which a probe counts as failed. */
const probeMs = 4_000

/**
 * Checks from time to time, and when the browser reports a change, if the site is reachable again.
 * @param workerUrl URL to probe
 * @param refresh loads the current page; `stop` is called once that page is on the screen
 */
export function createRefresher(workerUrl: string, refresh: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = 0
  let isLooking = false

  const look = async () => {
    if (isLooking || document.visibilityState !== 'visible') return
    isLooking = true
    if (await isConnected(workerUrl)) await refresh().catch(() => {})
    isLooking = false
    if (pauseMs > 0) wait()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(look, pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)
  }
  const events = [
    [window, 'online'],
    [document, 'visibilitychange'],
  ] as const

  return {
    start(): void {
      if (pauseMs > 0) return
      pauseMs = firstPauseMs
      for (const [target, type] of events) target.addEventListener(type, look)
      wait()
    },
    stop(): void {
      pauseMs = 0
      clearTimeout(timer)
      for (const [target, type] of events) target.removeEventListener(type, look)
    },
  }
}

/**
 * True if the app's server responds. Requires the worker's code in the response, because captive portals
 * and gateways respond, too.
 */
async function isConnected(workerUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(probeMs)
  try {
    const probe = { method: 'HEAD', cache: 'no-store', signal } as const
    const { ok, redirected, headers } = await fetch(workerUrl, probe)
    return ok && !redirected && headers.get('content-type') === 'text/javascript'
  } catch {
    return false
  }
}
