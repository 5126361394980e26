import { frameworkError } from '../../shared/errors.ts'
import type { ByteChunk } from '../../shared/stream.ts'

/**
 * Keeps a text, a number or bytes from clients: a page or an action that would send it fails, with
 * the message in the log, also when it is a part of a longer text.
 * @param message says what to do instead; clients never see it
 * @param value at least 8 characters, digits or bytes: shorter ones occur by chance
 * @param lifetime an object with which the mark goes, such as the user whose token it is; without
 *   one, the value stays marked for as long as the server runs
 * @throws `TAINT_VALUE` for what can't be recognised
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
      reason: 'it is shorter than 8 characters, digits or bytes, and would be found by chance',
    })
  }
  for (const form of forms) mark({ form, message }, lifetime)
}

/**
 * Keeps an object from clients: passing it to a client component fails, with the message in the
 * log. Its copies and its parts are not marked.
 * @param message says what to do instead; clients never see it
 * @throws `TAINT_VALUE` for a frozen object
 */
export function taintObject(message: string, object: object): void {
  if (!Object.isExtensible(object) && !Object.hasOwn(object, '$$typeof')) {
    throw frameworkError('TAINT_VALUE', {
      api: 'taintObject()',
      reason: 'it is frozen, so it can not be marked; mark it before it is frozen',
    })
  }
  // React asks every object for its kind before it writes it. Nothing else does: it is no part of
  // its JSON, its copies, or what the console shows.
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
  // As a row of text has it, and as JSON does.
  return [...new Set([text, JSON.stringify(text).slice(1, -1)])].map((form) => Buffer.from(form))
}

/** Bytes that must not be sent, and what is said when they would be. */
type TaintedValue = { readonly form: Buffer; readonly message: string }

const nothing = Buffer.alloc(0)
const marked = new Set<TaintedValue>()
const forGood = new Set<string>()
const ended = new FinalizationRegistry<TaintedValue>((value) => marked.delete(value))

/** Marks a value, for good or as long as an object lives. */
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
 * Creates what looks through a payload while it is written, also across its pieces. Where nothing is
 * marked, it costs a comparison a piece.
 * @returns the secret that a piece would give away; `null` when it may be sent
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
