/** Notices when a server works for long and sends nothing, to nobody. */
export type StallWatch = {
  /** Something came from the server. */
  arrived(): void
  stop(): void
}

const lookEveryMs = 25
const stallCpuMs = 200

/**
 * Watches a server that several requests wait for.
 * @param cpuMs processor time that it has used
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
