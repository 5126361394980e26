export type Deadline = {
  /** Something new has arrived: the limit begins again. Heartbeats alone count three times only. */
  progress(isHeartbeat?: boolean): void
  restart(): void
  stop(): void
}

/** Heartbeats alone put a deadline off to so many times its silence. */
const heartbeatLimit = 3

/** `setTimeout` takes no longer times. */
const noCapMs = 2 ** 31 - 1

/** Creates a deadline that counts silence. What goes on arriving is late at the hard cap only. */
export function createDeadline({
  timeoutMs,
  hardCapMs = noCapMs,
  onTimeout,
}: {
  readonly timeoutMs: number
  readonly hardCapMs?: number
  readonly onTimeout: () => void
}): Deadline {
  let silence: ReturnType<typeof setTimeout> | undefined
  let standstill: ReturnType<typeof setTimeout> | undefined
  let cap: ReturnType<typeof setTimeout> | undefined
  let isRunning = false

  function stop(): void {
    isRunning = false
    clearTimeout(silence)
    clearTimeout(standstill)
    clearTimeout(cap)
  }
  function timeout(): void {
    stop()
    onTimeout()
  }
  function progress(isHeartbeat = false): void {
    if (!isRunning) return
    clearTimeout(silence)
    silence = setTimeout(timeout, timeoutMs)
    if (isHeartbeat) return
    clearTimeout(standstill)
    standstill = setTimeout(timeout, Math.min(timeoutMs * heartbeatLimit, hardCapMs))
  }
  function restart(): void {
    stop()
    isRunning = true
    cap = setTimeout(timeout, hardCapMs)
    progress()
  }

  restart()
  return { progress, restart, stop }
}
