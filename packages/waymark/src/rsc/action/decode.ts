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

/** Decodes the arguments of a call. */
export function decodeArguments(
  body: string | FormData,
  list: ActionList,
): Promise<Decoded<unknown[]>> {
  return decoding(list, async (manifest) => {
    const value = await decodeReply<unknown>(body, manifest, { arraySizeLimit: maxArrayItems })
    return Array.isArray(value) ? value : null
  })
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
  let isUnknown = false
  const manifest = list.manifest(() => {
    isUnknown = true
  })
  try {
    const value = await decode(manifest)
    return value === null ? { kind: 'malformed' } : { kind: 'decoded', value }
  } catch {
    // Whatever React says of it: the client sent it.
    return { kind: isUnknown ? 'unknown' : 'malformed' }
  }
}
