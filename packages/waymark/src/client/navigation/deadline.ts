/** Watches over one navigation, from the click on. */
export type Deadline = {
  /**
   * Something arrived: the silence is over, and a new one may begin.
   * @param isHeartbeat the server is at work, and said no more than that: it counts, but not for ever
   */
  progress(isHeartbeat?: boolean): void
  /** Starts again: the user wants to wait. */
  restart(): void
  stop(): void
}

/** Heartbeats alone put a deadline off to so many times its silence. */
const heartbeatLimit = 3

/**
 * Creates a deadline that counts silence, not time: what goes on arriving times out at the
 * hard cap only.
 * @param onTimeout called once, and once more after each `restart`
 */
export function createDeadline(options: {
  readonly timeoutMs: number
  readonly hardCapMs: number
  readonly onTimeout: () => void
}): Deadline {
  const { timeoutMs, hardCapMs, onTimeout } = options
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
