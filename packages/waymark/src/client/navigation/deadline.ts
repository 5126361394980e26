/** Watches over one navigation, from the click on. */
export type Deadline = {
  /** Something arrived: the silence is over, and a new one may begin. */
  progress(): void
  /** Starts again: the user wants to wait. */
  restart(): void
  stop(): void
}

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
  let cap: ReturnType<typeof setTimeout> | undefined
  let isRunning = false

  function stop(): void {
    isRunning = false
    clearTimeout(silence)
    clearTimeout(cap)
  }
  function timeout(): void {
    stop()
    onTimeout()
  }
  function progress(): void {
    if (!isRunning) return
    clearTimeout(silence)
    silence = setTimeout(timeout, timeoutMs)
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
