import {
  decodeAction,
  decodeFormState,
  decodeReply,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
import type { ReactFormState } from 'react-dom/client'
import type { ActionList } from './actionList.ts'
import { maxArrayItems } from './budget.ts'

/** What a body holds, or why it could not be read. */
export type Decoded<T> =
  | { readonly kind: 'decoded'; readonly value: T }
  | { readonly kind: 'unknown' | 'malformed' }

/** Decodes the arguments of a call. @returns at once what has come whole */
export function decodeArguments(
  body: string | FormData,
  list: ActionList,
): Decoded<unknown[]> | Promise<Decoded<unknown[]>> {
  const { manifest, refusal } = namesOf(list)
  let found: Decoded<unknown[]> | null = null
  let tell = (decoded: Decoded<unknown[]>) => {
    found = decoded
  }
  const options = { arraySizeLimit: maxArrayItems }
  try {
    // React's promise calls back at once, unless it waits for something.
    decodeReply<unknown>(body, manifest, options).then(
      (value) => tell(Array.isArray(value) ? { kind: 'decoded', value } : { kind: 'malformed' }),
      () => tell(refusal()),
    )
  } catch {
    return refusal()
  }
  return (
    found ??
    new Promise((resolve) => {
      tell = resolve
    })
  )
}

/** A form that was sent by itself: the action with its fields as arguments, not run yet. */
export function decodeForm(fields: FormData, list: ActionList): Promise<Decoded<() => unknown>> {
  return decoding(list, async (manifest) => decodeAction(fields, manifest))
}

/** What `useActionState` finds its form by; `null` for a form without it. */
export async function readFormState(
  result: unknown,
  fields: FormData,
  list: ActionList,
): Promise<ReactFormState | null> {
  const decoded = await decoding(list, (manifest) => decodeFormState(result, fields, manifest))
  return decoded.kind === 'decoded' ? decoded.value : null
}

async function decoding<T>(
  list: ActionList,
  decode: (manifest: object) => Promise<T | null>,
): Promise<Decoded<T>> {
  const { manifest, refusal } = namesOf(list)
  try {
    const value = await decode(manifest)
    return value === null ? { kind: 'malformed' } : { kind: 'decoded', value }
  } catch {
    return refusal()
  }
}

type Refusal = Exclude<Decoded<never>, { kind: 'decoded' }>

/** What React looks names up in, and why it failed: whatever it says, the client sent it. */
function namesOf(list: ActionList): { manifest: object; refusal: () => Refusal } {
  let isUnknown = false
  const manifest = list.manifest(() => {
    isUnknown = true
  })
  return { manifest, refusal: () => ({ kind: isUnknown ? 'unknown' : 'malformed' }) }
}
