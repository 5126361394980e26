export const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Adds up histograms with the same bounds. */
export function sumBuckets(all: readonly (readonly number[])[]): readonly number[] {
  const [first = []] = all
  return first.map((_, at) => sum(all.map((buckets) => buckets[at] ?? 0)))
}

/**
 * Estimates a percentile. Values are assumed to be spread evenly within a bucket. Values beyond the last
 * bound count as that bound.
 * @param share from 0 to 1 @returns the rounded value; `null` if there are no values
 */
export function percentile(
  buckets: readonly number[],
  bounds: readonly number[],
  share: number,
): number | null {
  const wanted = sum(buckets) * share
  let before = 0
  for (const [at, count] of buckets.entries()) {
    const from = bounds[at - 1] ?? 0
    const to = bounds[at] ?? bounds.at(-1) ?? 0
    if (count > 0 && before + count >= wanted) {
      return Math.round(from + (to - from) * ((wanted - before) / count))
    }
    before += count
  }
  return null
}
