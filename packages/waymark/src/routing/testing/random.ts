/** Pseudorandom values that are the same in every run. */
export type Random = {
  /** Returns an integer from 0 to `limit` (exclusive). */
  below(limit: number): number
  pick<T>(values: readonly T[]): T
  /** Returns well-formed Unicode text that may contain URL syntax and control characters. */
  text(maxLength: number): string
}

const awkward = [...'/\\%?#[]@:&=+,;.~ "<>{}|^`', '\u0000', '\u007f', 'é', '日', '😀', '%2f', '..']

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T
  const character = () => (below(3) === 0 ? pick(awkward) : String.fromCharCode(97 + below(26)))
  return {
    below,
    pick,
    text: (maxLength) => Array.from({ length: 1 + below(maxLength) }, character).join(''),
  }
}
