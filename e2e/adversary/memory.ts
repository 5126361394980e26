// A server fills its caches first.
const leastSamples = 20

/**
 * Tells by how much a server has grown once it was warm: what the last quarter of its samples has
 * over the second one, on average.
 * @param residentMb along a run; too few of them tell nothing
 */
export function steadyGrowthMb(residentMb: readonly number[]): number {
  const quarter = Math.floor(residentMb.length / 4)
  if (residentMb.length < leastSamples) return 0
  return average(residentMb.slice(-quarter)) - average(residentMb.slice(quarter, 2 * quarter))
}

function average(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
