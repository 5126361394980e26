import type { ByteChunk } from '../../http/stream.ts'
import { frameworkError } from '../../shared/errors.ts'

/**
 * Protects a string, a number or bytes. A page or action that would send the value to a client fails, even if the value
 * is inside a longer string.
 * @param message advice that is logged, on what to do instead of sending the value
 * @param value at least 8 characters, digits or bytes, because shorter values occur by chance
 * @param lifetime an object. The protection ends when this object is garbage-collected. Default:
 * the protection lasts as long as the server
 * @throws `TAINT_VALUE`
 */
export function taintValue(
  message: string,
  value: string | bigint | ArrayBufferView,
  lifetime?: object,
): void {
  const forms = formsOf(value)
  if (forms === null) {
    throw frameworkError('TAINT_VALUE', {
      api: 'taintValue()',
      reason: 'it is shorter than 8 characters, digits or bytes and would occur by chance',
    })
  }
  for (const form of forms) mark({ form, message }, lifetime)
}

/**
 * Protects an object, but not its copies and properties. Passing it to a client component fails.
 * @param message advice that is logged, on what to do instead of sending the object
 * @throws `TAINT_VALUE` for a frozen object
 */
export function taintObject(message: string, object: object): void {
  if (!Object.isExtensible(object) && !Object.hasOwn(object, '$$typeof')) {
    throw frameworkError('TAINT_VALUE', {
      api: 'taintObject()',
      reason: 'it is frozen; mark it before you freeze it',
    })
  }
  // React reads this property before it serializes an object, and then gets the error.
  // `JSON.stringify`, copying and console logging don't read it.
  Object.defineProperty(object, '$$typeof', {
    configurable: true,
    enumerable: false,
    get() {
      throw new Error(message)
    },
  })
}

const minLength = 8

function formsOf(value: string | bigint | ArrayBufferView): Buffer[] | null {
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    return bytes.length < minLength ? null : [bytes]
  }
  const text = String(value)
  if (text.length < minLength) return null
  // Flight writes a string either as it is, in text rows, or escaped, in JSON. Search for both.
  return [...new Set([text, JSON.stringify(text).slice(1, -1)])].map((form) => Buffer.from(form))
}

type TaintedValue = { readonly form: Buffer; readonly message: string }

const nothing = Buffer.alloc(0)
const marked = new Set<TaintedValue>()
const forGood = new Set<string>()
const ended = new FinalizationRegistry<TaintedValue>((value) => marked.delete(value))

function mark(value: TaintedValue, lifetime: object | undefined): void {
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
 * Searches a payload for protected values, even if one is split between chunks. @returns a function
 * that returns an error for a chunk with such a value
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
