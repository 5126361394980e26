import type { Piece } from '../../shared/byteChannel.ts'

/** Bytes that must not be sent, and what is said when they would be. */
export type TaintedValue = { readonly form: Buffer; readonly message: string }

// Marked by the app's modules, for as long as they are loaded.
const forGood: TaintedValue[] = []

/** Marks a value for good. */
export function keepTainted(value: TaintedValue): void {
  if (!forGood.some(({ form }) => form.equals(value.form))) forGood.push(value)
}

/**
 * Makes what looks through a payload while it is written, also across its pieces. Where nothing is
 * marked, it costs two comparisons a piece.
 * @param ofRequest the values that are marked for one request, as of now
 * @returns tells what a piece would give away; `null` when it may be sent
 */
export function createTaintCheck(
  ofRequest: () => readonly TaintedValue[] | null,
): (piece: Piece) => Error | null {
  let before: Buffer = Buffer.alloc(0)
  return (piece) => {
    const own = ofRequest()
    if (own === null && forGood.length === 0) return null
    const values = own === null ? forGood : [...forGood, ...own]
    const bytes = Buffer.concat([before, Buffer.from(piece as string)])
    const found = values.find(({ form }) => bytes.includes(form))
    if (found) return new Error(found.message)
    const longest = Math.max(...values.map(({ form }) => form.length))
    before = bytes.subarray(Math.max(0, bytes.length - longest + 1))
    return null
  }
}
