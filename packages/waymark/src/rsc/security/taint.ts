import { frameworkError } from '../../shared/errors.ts'
import { findScope } from '../request/scope.ts'
import { keepTainted } from './taintedValues.ts'

/**
 * Keeps a text, a number or bytes from clients: a page, an action or a route's data that would
 * send it fails, with the message in the log, also when it is a part of a longer text. Called
 * while a request is answered, it holds for that request; at the top level of a module, for good.
 * @param message says what to do instead; clients never see it
 * @param value at least 8 characters, digits or bytes: shorter ones occur by chance
 * @throws `TAINT_VALUE` for what can't be recognised
 */
export function taintValue(message: string, value: string | bigint | ArrayBufferView): void {
  const forms = formsOf(value)
  if (forms === null) {
    throw frameworkError('TAINT_VALUE', {
      api: 'taintValue()',
      reason: 'it is shorter than 8 characters, digits or bytes, and would be found by chance',
    })
  }
  const scope = findScope()
  const values = forms.map((form) => ({ form, message }))
  if (scope && 'tainted' in scope) scope.tainted = [...(scope.tainted ?? []), ...values]
  else for (const value of values) keepTainted(value)
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
