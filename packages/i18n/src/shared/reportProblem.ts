const reported = new Set<string>()

/** Reports a missing or wrong message once in each process or document. */
export function reportProblem(problem: Error): void {
  if (reported.has(problem.message)) return
  reported.add(problem.message)
  console.warn(`[i18n] ${problem.message}`)
}
