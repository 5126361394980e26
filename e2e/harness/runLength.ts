/** True in a run of `npm test -- e2e-all`, which is a part of the nightly run. */
export const runsAll = process.env.WAYMARK_E2E_ALL === '1'

/**
 * Returns how often a test repeats similar steps.
 * @param usual a number that covers each kind of step at least once
 * @param often the number for `npm test -- e2e-all`
 */
export function repetitions(usual: number, often: number): number {
  return runsAll ? often : usual
}
