import {
  decodeFormState,
  decodeReply,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
import type { ReactFormState } from 'react-dom/client'
import { actionField } from '../../react/actionFields.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import { nestedValues } from '../request/clientFailures.ts'
import { isWithinDecodeLimits, maxArrayItems } from './actionBody.ts'

/**
 * Maximum milliseconds for decoding. The whole body is in memory, so a value that is still pending
 * by then refers to itself.
 */
export const decodeWithinMs = 3_000

// Allows no actions in arguments. An action that is called through such a reference would skip its
// guards.
const noActions: object = Object.freeze(Object.create(null))

/** Decodes the arguments of a call. @returns `null` if the body is invalid or a value never settles */
export function decodeArguments(
  body: string | FormData,
): unknown[] | null | Promise<unknown[] | null> {
  const asList = (decoded: unknown) => (Array.isArray(decoded) ? decoded : null)
  const decoded = typeof body === 'string' ? decodedAtOnce(body) : null
  return decoded === null ? decodeBody(body).then(asList) : asList(decoded.value)
}

/** Decodes a string body if React can decode it synchronously. @returns `null` otherwise */
function decodedAtOnce(body: string): { readonly value: unknown } | null {
  const unreadable = { value: undefined }
  let decoded: { readonly value: unknown } | null = null
  try {
    void decodeValues(body).then(
      (value) => {
        if (!comesLater(value)) decoded = { value }
      },
      () => {
        decoded = unreadable
      },
    )
    return decoded
  } catch {
    return unreadable
  }
}

/**
 * Returns the arguments of a form's action: bound values, then the fields. @returns `null` for an
 * invalid form
 */
export async function decodeForm(
  { reference }: FormAction,
  fields: FormData,
): Promise<unknown[] | null> {
  const bound = reference ? await decodeBound(reference) : []
  return bound && [...bound, withoutActionFields(fields)]
}

/** Returns the state that React passes to the form's `useActionState`, or `null`. */
export async function formStateOf(
  result: unknown,
  fields: FormData,
): Promise<ReactFormState | null> {
  try {
    const state = await withDeadline(decodeFormState(result, fields, noActions), decodeWithinMs)
    return state === timedOut ? null : state
  } catch {
    return null
  }
}

async function decodeBound(reference: FormData): Promise<unknown[] | null> {
  const decoded = await decodeBody(reference)
  if (decoded === undefined) return null
  const { bound } = Object(decoded) as { readonly bound?: unknown }
  const values = (await bound) ?? []
  return Array.isArray(values) ? values : null
}

function withoutActionFields(fields: FormData): FormData {
  const appFields = new FormData()
  for (const [name, value] of fields)
    if (!name.startsWith(actionField)) appFields.append(name, value)
  return appFields
}

/**
 * Decodes a body and waits for its asynchronous values. Returns `undefined` if one of them fails,
 * because the client has sent it.
 */
async function decodeBody(body: string | FormData): Promise<unknown> {
  const unmute = muteFiles(body)
  const drainAndDecode = async (value: unknown) =>
    (await drain(value)) ? await decodeValues(body) : value
  try {
    const value = await withDeadline(decodeValues(body), decodeWithinMs)
    if (value === timedOut) return undefined
    if (!comesLater(value)) return value
    const whole = await withDeadline(drainAndDecode(value), decodeWithinMs)
    return whole === timedOut ? undefined : whole
  } catch {
    return undefined
  } finally {
    unmute()
  }
}

/**
 * Decodes a reply without stack traces. React creates an error at the end of each reply, whose
 * stack trace would take 10% of the time of a small call.
 */
function decodeValues(body: string | FormData): PromiseLike<unknown> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return decodeReply<unknown>(body, noActions, { arraySizeLimit: maxArrayItems })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function comesLater(root: unknown): boolean {
  for (const value of nestedValues([root], isWhole)) if (!isWhole(value)) return true
  return false
}

/**
 * Waits for all values inside a decoded value. @returns true if that consumed a stream, so that the
 * body has to be decoded again
 */
async function drain(root: unknown): Promise<boolean> {
  let isRead = false
  const waiting: unknown[] = [root]
  for (const value of nestedValues(waiting, isWhole)) {
    if (isThenable(value)) waiting.push(await value)
    else if (!isWhole(value)) {
      isRead = true
      for await (const item of value as AsyncIterable<unknown>) waiting.push(item)
    }
  }
  return isRead
}

/**
 * True if a decoded value is synchronous. Only promises, streams and iterators have methods after
 * decoding.
 */
function isWhole(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const { then, next } = value as { then?: unknown; next?: unknown }
  const isStream = Symbol.asyncIterator in value
  return !isStream && typeof then !== 'function' && typeof next !== 'function'
}

/**
 * Prevents unhandled rejections. React reads a file with a callback that throws if a stream refuses
 * the file's chunk, and doesn't handle the resulting rejection.
 * @returns a function that restores the files
 */
function muteFiles(body: string | FormData): () => void {
  if (typeof body === 'string') return () => {}
  const files: Blob[] = []
  for (const [, value] of body) if (typeof value !== 'string') files.push(value)
  for (const file of files) {
    const read = file.arrayBuffer
    file.arrayBuffer = () => muted(read.call(file))
  }
  return () => {
    for (const file of files) Reflect.deleteProperty(file, 'arrayBuffer')
  }
}

function muted<T>(promise: Promise<T>): Promise<T> {
  const follow: typeof promise.then = promise.then.bind(promise)
  const then: typeof promise.then = (onValue, onError) => {
    const followed = follow(onValue, onError)
    followed.catch(() => {})
    return followed
  }
  return Object.assign(promise, { then })
}

const idField = `${actionField}ID_`
const boundField = `${actionField}REF_`

export type FormAction = {
  readonly id: string
  /**
   * Rows that encode an action with bound values. Row 0 contains the action's `id` and a promise,
   * `bound`.
   */
  readonly reference: FormData | null
}

/**
 * Returns the action of a form. React's last field counts, because it belongs to the pressed
 * button.
 */
export function formActionOf(fields: FormData): FormAction | null {
  let named: string | null = null
  for (const [name, value] of fields) {
    if (!name.startsWith(actionField)) continue
    if (name.startsWith(idField) || name.startsWith(boundField)) named = name
    if (typeof value === 'string' && !isWithinDecodeLimits(value)) return null
  }
  if (named === null) return null
  if (named.startsWith(idField)) return { id: named.slice(idField.length), reference: null }
  return fields.getAll(named).length === 1 ? boundAction(fields, named) : null
}

function boundAction(fields: FormData, named: string): FormAction | null {
  const reference = rowsOf(fields, `${actionField}${named.slice(boundField.length)}:`)
  const head = reference?.get('0')
  if (!reference || typeof head !== 'string') return null
  try {
    const { id } = JSON.parse(head) as { id?: unknown }
    return typeof id === 'string' ? { id, reference } : null
  } catch {
    return null
  }
}

/**
 * Returns the rows of one reference, or `null` if a row is repeated, because React might use a
 * different copy of it.
 */
function rowsOf(fields: FormData, prefix: string): FormData | null {
  const rows = new FormData()
  for (const [name, value] of fields) {
    if (!name.startsWith(prefix)) continue
    const row = name.slice(prefix.length)
    if (rows.has(row) && !repeatedRow.test(row)) return null
    rows.append(row, value)
  }
  return rows
}

// Rows that may be repeated: a stream has one row for each chunk, and a FormData has one row for each value.
const repeatedRow = /^[S_]/
