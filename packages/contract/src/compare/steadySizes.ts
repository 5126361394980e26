import { type Contract, type ContractEntry, titleOf } from '../contract/contractFile.ts'

const sizeKeys = ['script', 'content']
// Smaller changes come from the names of hashed files and from the content of the test data.
const minKilobytes = 1
const minShare = 0.03

/**
 * Replaces sizes that have hardly changed by the earlier ones, so that a change of the app only
 * changes lines of the contract that matter.
 */
export function keepSteadySizes(before: Contract, after: Contract): Contract {
  const earlier = new Map(before.entries.map((entry) => [titleOf(entry), entry]))
  const entries = after.entries.map((entry): ContractEntry => {
    const old = earlier.get(titleOf(entry))
    if (!old) return entry
    const steady = sizeKeys.flatMap((key) => {
      const [was, is] = [old.properties[key], entry.properties[key]]
      return was !== undefined && is !== undefined && isClose(was, is) ? [[key, was]] : []
    })
    return { ...entry, properties: { ...entry.properties, ...Object.fromEntries(steady) } }
  })
  return { ...after, entries }
}

function isClose(before: string, after: string): boolean {
  const [was, is] = [numbersIn(before), numbersIn(after)]
  if (was.length !== is.length) return false
  return was.every((size, at) => {
    const change = Math.abs((is[at] ?? 0) - size)
    return change < minKilobytes || change < size * minShare
  })
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits))
}
