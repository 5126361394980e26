import { createRandom } from '../harness/mutations.ts'

/** Choices that are the same for the same seed. */
export type Random = {
  /** From 0 to 1, 1 excluded. */
  next(): number
  /** From 0, below a bound. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Picks by weight: those of a pair count relative to each other. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T
  /** Makes a list of a length from `least` to `most`. */
  list<T>(least: number, most: number, make: (index: number) => T): T[]
}

/**
 * Makes the choices for one request of a run: they depend on nothing that came before it, so that
 * each can be made again alone.
 * @param index of the request in the run
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
  if (value === undefined) throw new Error('There is nothing to choose from.')
  return value
}
