/** Detects that a server has been busy for a long time without sending anything to any client. */
export type StallWatch = {
  /** Must be called whenever data arrives from the server. */
  arrived(): void
  stop(): void
}

const lookEveryMs = 25
const stallCpuMs = 200

/**
 * Watches a server while several requests wait for a response.
 * @param cpuMs returns the processor time that the server has used, in milliseconds
 * @param onStall is called once for each stall, before the stall ends
 */
export function watchStalls(cpuMs: () => number, onStall: () => void): StallWatch {
  let fromMs = cpuMs()
  let isNoted = false
  let hasArrived = false
  const timer = setInterval(() => {
    if (hasArrived) {
      hasArrived = false
      isNoted = false
      fromMs = cpuMs()
    } else if (!isNoted && cpuMs() - fromMs >= stallCpuMs) {
      isNoted = true
      onStall()
    }
  }, lookEveryMs)
  return {
    arrived() {
      hasArrived = true
    },
    stop: () => clearInterval(timer),
  }
}
