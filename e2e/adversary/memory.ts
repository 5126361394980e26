// Number of samples that must exist first, because a server fills its caches at the beginning.
const leastSamples = 20

/**
 * Returns the number of megabytes by which a server has grown after its warm-up: the average of the
 * last quarter of its samples, minus the average of the second quarter.
 * @param residentMb samples of resident memory; with too few samples, the result is 0
 */
export function steadyGrowthMb(residentMb: readonly number[]): number {
  const quarter = Math.floor(residentMb.length / 4)
  if (residentMb.length < leastSamples) return 0
  return average(residentMb.slice(-quarter)) - average(residentMb.slice(quarter, 2 * quarter))
}

function average(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
