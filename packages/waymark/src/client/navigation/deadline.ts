/** Watches over one navigation, from the click on. */
export type Deadline = {
  /** Something arrived: the silence is over, and a new one may begin. */
  progress(): void
  /** Begins anew: the person wants to wait. */
  restart(): void
  stop(): void
}

/**
 * Makes a deadline that counts silence, not time: what goes on arriving is not late until the
 * hard cap.
 * @param onLate called once, and once more after each `restart`
 */
export function createDeadline(options: {
  readonly timeoutMs: number
  readonly hardCapMs: number
  readonly onLate: () => void
}): Deadline {
  const { timeoutMs, hardCapMs, onLate } = options
  let silence: ReturnType<typeof setTimeout> | undefined
  let cap: ReturnType<typeof setTimeout> | undefined
  let isRunning = false

  function stop(): void {
    isRunning = false
    clearTimeout(silence)
    clearTimeout(cap)
  }
  function late(): void {
    stop()
    onLate()
  }
  function progress(): void {
    if (!isRunning) return
    clearTimeout(silence)
    silence = setTimeout(late, timeoutMs)
  }
  function restart(): void {
    stop()
    isRunning = true
    cap = setTimeout(late, hardCapMs)
    progress()
  }

  restart()
  return { progress, restart, stop }
}
