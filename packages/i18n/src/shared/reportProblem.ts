const reported = new Set<string>()

/** Maximum problems that are reported, because keys may contain what visitors send. */
const maxReported = 500

/** Reports a missing or wrong message once in each process or document. */
export function reportProblem(problem: Error): void {
  if (reported.has(problem.message) || reported.size === maxReported) return
  reported.add(problem.message)
  console.warn(`[i18n] ${problem.message.replace(/\s+/g, ' ').slice(0, 500)}`)
}
