import type { ByteChunk } from '../../shared/byteChannel.ts'

/** Bytes that must not be sent, and what is said when they would be. */
export type TaintedValue = { readonly form: Buffer; readonly message: string }

const nothing = Buffer.alloc(0)
const marked = new Set<TaintedValue>()
const forGood = new Set<string>()
const ended = new FinalizationRegistry<TaintedValue>((value) => marked.delete(value))

/** Marks a value, for good or as long as an object lives. */
export function addTainted(value: TaintedValue, lifetime: object | undefined): void {
  if (lifetime) {
    marked.add(value)
    ended.register(lifetime, value)
    return
  }
  const key = value.form.toString('latin1')
  if (!forGood.has(key)) marked.add(value)
  forGood.add(key)
}

/**
 * Makes what looks through a payload while it is written, also across its pieces. Where nothing is
 * marked, it costs a comparison a piece.
 * @returns tells what a piece would give away; `null` when it may be sent
 */
export function createTaintCheck(): (piece: ByteChunk) => Error | null {
  let before: Buffer = nothing
  return (piece) => {
    if (marked.size === 0) return null
    const bytes = Buffer.concat([before, Buffer.from(piece as string)])
    let longest = 1
    for (const { form, message } of marked) {
      if (bytes.includes(form)) return new Error(message)
      longest = Math.max(longest, form.length)
    }
    before = bytes.subarray(Math.max(0, bytes.length - longest + 1))
    return null
  }
}
