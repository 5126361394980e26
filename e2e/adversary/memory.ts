// A server fills its caches first.
const leastSamples = 20

/**
 * Returns by how many megabytes a server has grown after it was warm: the average of the last quarter
 * of its samples, minus the average of the second quarter.
 * @param residentMb samples along a run; too few samples give 0
 */
export function steadyGrowthMb(residentMb: readonly number[]): number {
  const quarter = Math.floor(residentMb.length / 4)
  if (residentMb.length < leastSamples) return 0
  return average(residentMb.slice(-quarter)) - average(residentMb.slice(quarter, 2 * quarter))
}

function average(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
