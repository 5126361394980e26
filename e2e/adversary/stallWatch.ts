/** Detects that a server is busy for a long time and sends nothing to any client. */
export type StallWatch = {
  /** To be called when data arrives from the server. */
  arrived(): void
  stop(): void
}

const lookEveryMs = 25
const stallCpuMs = 200

/**
 * Watches a server while several requests wait for it.
 * @param cpuMs returns the processor time that the server has used
 * @param onStall is called once for each stall, while it lasts
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
