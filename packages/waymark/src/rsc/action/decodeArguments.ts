import {
  decodeFormState,
  decodeReply,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
import type { ReactFormState } from 'react-dom/client'
import { actionField } from '../../react/marks.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import { isWithinDecodeLimits, maxArrayItems } from './actionBody.ts'

/** All of a body is there when it is decoded: a part that is not done by then waits for itself. */
export const decodeWithinMs = 3_000

// What React looks the actions up in that a body refers to. An action among arguments would run
// past its guards, so there is none: listed or not, a reference is refused in the same way.
const noActions: object = Object.freeze(Object.create(null))

/**
 * Decodes the arguments of a call, in which no promise will fail and no stream break off.
 * @returns `null` for what could not be read, or never comes to its end
 */
export function decodeArguments(
  body: string | FormData,
): unknown[] | null | Promise<unknown[] | null> {
  const asList = (decoded: unknown) => (Array.isArray(decoded) ? decoded : null)
  const decoded = typeof body === 'string' ? decodedAtOnce(body) : null
  return decoded === null ? decodeBody(body).then(asList) : asList(decoded.value)
}

/**
 * Decodes a text, all of which is there: React's thenable has settled then.
 * @returns `null` where anything in it is to come later; `undefined` as its value where it can't be
 *   read
 */
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

/** Decodes a form that was sent by itself: its bound values, then its fields; `null` as above. */
export async function decodeForm(
  { reference }: FormAction,
  fields: FormData,
): Promise<unknown[] | null> {
  const bound = reference ? await decodeBound(reference) : []
  return bound && [...bound, ownFields(fields)]
}

/** What `useActionState` finds its form by; `null` for a form without it. */
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

/** @returns `null` for what is no list */
async function decodeBound(reference: FormData): Promise<unknown[] | null> {
  const decoded = await decodeBody(reference)
  if (decoded === undefined) return null
  const { bound } = Object(decoded) as { readonly bound?: unknown }
  const values = (await bound) ?? []
  return Array.isArray(values) ? values : null
}

// The fields that React has added are not for the action.
function ownFields(fields: FormData): FormData {
  const own = new FormData()
  for (const [name, value] of fields) if (!name.startsWith(actionField)) own.append(name, value)
  return own
}

/**
 * Decodes a body, and waits until all of it is there. What fails in it the client has sent: an
 * action that meets it would fail with 500.
 * @returns `undefined` then
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
 * Has React decode, without stack traces: it ends each reply with an error, for whatever refers to
 * a part that was not sent. That error's trace took a tenth of a small call.
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

/** Tells whether anything in a decoded value is a promise, a stream or an iterator. */
function comesLater(root: unknown): boolean {
  const seen = new Set<object>()
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isThenable(value) || isReadOnce(value)) return true
    addChildren(value, pending)
  }
  return false
}

/**
 * Finds what React has decoded to come later, or to be read once: waits for all promises, and reads
 * streams and iterators to their ends. Nothing is run for it: a client can send no function.
 * @returns whether any was read: then it can't be read again
 * @throws what a promise, stream or iterator fails with
 */
async function drain(root: unknown): Promise<boolean> {
  const seen = new Set<object>()
  let isRead = false
  // A list, no recursion: the rows of a body may refer to each other a thousand deep.
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isThenable(value)) pending.push(await value)
    else if (isReadOnce(value)) {
      isRead = true
      for await (const item of value as AsyncIterable<unknown>) pending.push(item)
    } else addChildren(value, pending)
  }
  return isRead
}

// Streams are async iterables; an iterator has a function, which nothing else of a client's has.
function isReadOnce(value: object): boolean {
  return Symbol.asyncIterator in value || typeof (value as { next?: unknown }).next === 'function'
}

function addChildren(value: object, pending: unknown[]): void {
  if (ArrayBuffer.isView(value)) return
  if (Array.isArray(value)) for (const each of value) pending.push(each)
  else if (value instanceof Map) for (const [key, each] of value) pending.push(key, each)
  else if (value instanceof Set) for (const each of value) pending.push(each)
  else for (const each of Object.values(value)) pending.push(each)
}

/**
 * Prevents that errors of React's file decoding become unhandled rejections: a stream of the body
 * may refuse a chunk which had to wait for a file's bytes. What waits for the chunk waits on.
 * @returns what puts the files back as they were
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

/** The action that a form names. */
export type FormAction = {
  readonly id: string
  /**
   * What React has encoded of an action with bound values, as rows of a reply: row 0 has its `id`
   * and a promise of `bound`. `null` for an action without.
   */
  readonly reference: FormData | null
}

/**
 * Finds which action a form names in the fields that React adds to it, before anything of them is
 * decoded. The last one counts: it is the pressed button's.
 * @returns `null` where none is named, or a field that names it is there twice or none of React's
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
 * Takes the rows of one reference out of a form.
 * @returns `null` when a row is there twice: which of them counts is not known
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

// Of a stream each piece is a row of that name, of a FormData each of its values.
const repeatedRow = /^[S_]/
