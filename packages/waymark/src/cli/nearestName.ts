/**
 * Finds the name that someone probably meant.
 * @returns `null` when none is near
 */
export function nearestName<Name extends string>(
  given: string,
  names: readonly Name[],
): Name | null {
  let nearest: Name | null = null
  let least = Math.ceil(given.length / 3) + 1
  for (const name of names) {
    const distance = name.startsWith(given) && given.length > 1 ? 0 : editDistance(given, name)
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  return nearest
}

/** Letters to insert, delete or replace (Levenshtein), one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
