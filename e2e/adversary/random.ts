import { createRandom } from '../harness/mutations.ts'

/** Random choices that depend only on a seed. */
export type Random = {
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from 0 (inclusive) to a bound (exclusive). */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Picks a value with a probability in proportion to its weight. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T
  /** Creates a list with a random length from `least` to `most`. */
  list<T>(least: number, most: number, make: (index: number) => T): T[]
}

/**
 * Creates the random choices for one request of a run. The choices don't depend on other requests,
 * so each request can be repeated alone.
 * @param index index of the request in the run
 */
export function randomAt(seed: number, index: number): Random {
  const next = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const int = (below: number) => Math.floor(next() * below)
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => required(list[int(list.length)]),
    weighted(list) {
      let rest = next() * list.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of list) {
        rest -= weight
        if (rest < 0) return value
      }
      return required(list.at(-1))[1]
    },
    list: (least, most, make) =>
      Array.from({ length: least + int(most - least + 1) }, (_, index) => make(index)),
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The list to pick from is empty.')
  return value
}
