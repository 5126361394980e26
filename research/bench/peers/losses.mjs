/** Finds where another framework is ahead of Waymark. */
const waymarkNames = ['Waymark', 'Waymark, speedups']

/**
 * @param rows of all frameworks, each with `server`
 * @param options.by the key whose value rows must share to be compared, such as `page`
 * @param options.measures `key` and `name` of what is compared, and `isHigherBetter`. `ratioKeys` are
 * the keys of ratios to Waymark, and to Waymark with speedups, for measures that were compared in
 * each round.
 * @returns one entry for each measure of each page in which Waymark loses, with the framework that is
 * furthest ahead. `ratio` is below 1, and the smallest comes first.
 */
export function findLosses(rows, { by, measures }) {
  const subjects = [...new Set(rows.map((row) => row[by]))]
  const losses = subjects.flatMap((subject) => {
    const group = rows.filter((row) => row[by] === subject)
    return measures.flatMap((measure) =>
      waymarkNames.flatMap((name, at) => findLoss(group, { name, at, measure, subject })),
    )
  })
  return losses.toSorted((a, b) => a.ratio - b.ratio)
}

function findLoss(group, { name, at, measure, subject }) {
  const own = valueOf(group.find(({ server }) => server === name)?.[measure.key])
  if (own === undefined) return []
  const ahead = group
    .filter(({ server }) => !waymarkNames.includes(server))
    .map((row) => ({ row, ratio: ratioOf(row, own, measure, at) }))
    .filter(({ ratio }) => ratio < 1)
    .toSorted((a, b) => a.ratio - b.ratio)
  if (ahead.length === 0) return []
  const [{ row, ratio }] = ahead
  return {
    subject,
    measure: measure.name,
    waymark: name,
    value: own,
    first: row.server,
    firstValue: valueOf(row[measure.key]),
    ratio: Number(ratio.toFixed(2)),
    ahead: ahead.length,
  }
}

function ratioOf(row, own, { key, isHigherBetter, ratioKeys }, at) {
  const measured = valueOf(row[ratioKeys?.[at]])
  if (measured !== undefined) return measured
  const value = valueOf(row[key])
  if (value === undefined) return Number.NaN
  return isHigherBetter ? own / value : value / own
}

// A value is a number, or the median of a range. Other values are reasons why there is no number.
function valueOf(value) {
  const number = value?.median ?? value
  return typeof number === 'number' ? number : undefined
}
