import {
  decodeFormState,
  decodeReply,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
import type { ReactFormState } from 'react-dom/client'
import { timedOut, withDeadline } from '../../shared/deadline.ts'
import { maxArrayItems } from './budget.ts'
import { drain, findLazy } from './drain.ts'
import type { FormAction } from './formAction.ts'
import { muteFiles } from './muteFiles.ts'

/** What a body holds; `malformed` when it could not be read, or never comes to its end. */
export type Decoded<T> =
  | { readonly kind: 'decoded'; readonly value: T }
  | { readonly kind: 'malformed' }

/** All of a body is there when it is decoded: what is not done by then waits for itself. */
export const decodeWithinMs = 3_000

// What React looks the actions up in that a body refers to. An action among arguments would run
// past its guards, so there is none: listed or not, a reference is refused in the same way.
const noActions: object = Object.freeze(Object.create(null))

const malformed = { kind: 'malformed' } as const

/**
 * Decodes the arguments of a call, in which no promise will fail and no stream break off.
 * @returns at once what has come whole
 */
export function decodeArguments(
  body: string | FormData,
): Decoded<unknown[]> | Promise<Decoded<unknown[]>> {
  const decoded = decodeBody(body)
  return decoded instanceof Promise ? decoded.then(asList) : asList(decoded)
}

/** Decodes a form that was sent by itself: its bound values, then its fields. */
export async function decodeForm(
  { reference }: FormAction,
  fields: FormData,
): Promise<Decoded<unknown[]>> {
  const bound = reference ? await decodeBound(reference) : []
  return bound ? { kind: 'decoded', value: [...bound, ownFields(fields)] } : malformed
}

/** What `useActionState` finds its form by; `null` for a form without it. */
export async function readFormState(
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
  if (decoded.kind !== 'decoded') return null
  const { bound } = Object(decoded.value) as { readonly bound?: unknown }
  const values = (await bound) ?? []
  return Array.isArray(values) ? values : null
}

// React keeps the fields that it has added from the action.
function ownFields(fields: FormData): FormData {
  const own = new FormData()
  for (const [name, value] of fields) if (!name.startsWith('$ACTION_')) own.append(name, value)
  return own
}

function asList(decoded: Decoded<unknown>): Decoded<unknown[]> {
  if (decoded.kind !== 'decoded' || !Array.isArray(decoded.value)) return malformed
  return { kind: 'decoded', value: decoded.value }
}

function decodeBody(body: string | FormData): Decoded<unknown> | Promise<Decoded<unknown>> {
  const unmute = muteFiles(body)
  const reply = decode(body)
  const now = valueNow(reply)
  if (now === null || mayComeLater(now, body)) return settle(reply, body).finally(unmute)
  unmute()
  return now
}

function mayComeLater(decoded: Decoded<unknown>, body: string | FormData): boolean {
  if (decoded.kind === 'malformed') return false
  return mayHoldLazy(body) && findLazy(decoded.value).length > 0
}

function decode(body: string | FormData): PromiseLike<unknown> {
  return decodeReply<unknown>(body, noActions, { arraySizeLimit: maxArrayItems })
}

/** @returns `null` for what waits for something: else React's promise calls back at once */
function valueNow(reply: PromiseLike<unknown>): Decoded<unknown> | null {
  const now: { decoded: Decoded<unknown> | null } = { decoded: null }
  reply.then(
    (value) => {
      now.decoded = { kind: 'decoded', value }
    },
    () => {
      now.decoded = malformed
    },
  )
  return now.decoded
}

// `$` and the letter of a promise, stream or iterator at the beginning of a text, each of them as
// such or escaped.
const lazyText = /"(?:\$|\\u0024)(?:[@RrXxi]|\\u)/

function mayHoldLazy(body: string | FormData): boolean {
  return typeof body !== 'string' || lazyText.test(body)
}

/**
 * Waits until all of a reply is there. What fails in it the client has sent: an action that meets
 * it would be answered with 500.
 */
async function settle(
  reply: PromiseLike<unknown>,
  body: string | FormData,
): Promise<Decoded<unknown>> {
  const whole = async (): Promise<Decoded<unknown>> => {
    const value = await reply
    return { kind: 'decoded', value: (await drain(value)) ? await decode(body) : value }
  }
  try {
    const decoded = await withDeadline(whole(), decodeWithinMs)
    return decoded === timedOut ? malformed : decoded
  } catch {
    return malformed
  }
}
