import type { ActionResponse } from '../../shared/actionResponse.ts'
import { callContent, type ServerCall } from './calls.ts'
import { encodeReply } from './encodeReply.ts'

/** A call as it is sent, the first time and with each retry. */
export type EncodedCall = {
  readonly id: string
  readonly body: string | FormData
  /** Equal only for equal calls. */
  readonly content: string
}

/**
 * Encodes a call.
 * @throws for arguments that can't be sent, as a function of the browser's
 */
export async function encodeCall(id: string, args: readonly unknown[]): Promise<EncodedCall> {
  // plugin-rsc types what React takes for other React functions, too.
  const body = (await encodeReply([...args])) as string | FormData
  const content = typeof body === 'string' ? body : callContent(body)
  return { id, body, content: `${id}\n${content}` }
}

/**
 * Finds what a form takes for "nothing has changed": the state of its `useActionState`, and
 * anything where the action stands in the form itself, since React passes its result to nobody.
 * @returns `null` when code of the app awaits the call: it must not take a failure for a success
 */
export async function unchangedState({
  args,
  submit,
}: ServerCall): Promise<{ readonly value: unknown } | null> {
  if (!submit || !(args.at(-1) instanceof FormData)) return null
  if (await isServerReference(actionOf(submit))) return { value: undefined }
  return args.length > 1 ? { value: args.at(-2) } : null
}

/** Whether a response leaves its form with its input, instead of emptying it. */
export function preservesInput({ kind }: ActionResponse): boolean {
  return kind !== 'returned' && kind !== 'redirect'
}

/**
 * Submits the form of a call again.
 * @returns false when there is none, or when it has changed: then it is another call
 */
export function resubmit({ submit }: ServerCall): boolean {
  if (!submit) return false
  const { form, submitter, content } = submit
  if (!form.isConnected || !form.checkVisibility()) return false
  try {
    if (callContent(new FormData(form, submitter)) !== content) return false
    form.requestSubmit(submitter)
    return true
  } catch {
    // The button is gone, or another form's by now.
    return false
  }
}

/** What the app has given a form, or the button that was pressed, as its action. */
function actionOf({ form, submitter }: NonNullable<ServerCall['submit']>): unknown {
  return propsOf(submitter)?.formAction ?? propsOf(form)?.action
}

// React keeps the props of an element on it. Where it does not, the app's code counts as awaiting.
function propsOf(element: Element | null): { action?: unknown; formAction?: unknown } | undefined {
  if (!element) return undefined
  const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))
  return key === undefined ? undefined : (element as unknown as Record<string, object>)[key]
}

// Functions of the browser can't be sent; references to those of the server can.
async function isServerReference(action: unknown): Promise<boolean> {
  if (typeof action !== 'function') return false
  return encodeReply(action as never).then(
    () => true,
    () => false,
  )
}

/** Idempotency keys: the server runs each call once, however often it is sent. */
export type IdempotencyKeys = {
  /** The key for a call: that of the same one, where it was sent before without a response. */
  keyFor(content: string): string
  /** The call was given up without a response: it has the same key when it is made again. */
  remember(content: string, key: string): void
  /** It got its response. */
  forget(content: string): void
}

const maxRemembered = 20
const keyBytes = 18

/** Creates the keys of a document. @param randomBytes fills an array */
export function createIdempotencyKeys(
  randomBytes: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): IdempotencyKeys {
  const remembered = new Map<string, string>()
  return {
    keyFor: (content) =>
      remembered.get(content) ?? base64url(randomBytes(new Uint8Array(keyBytes))),
    remember(content, key) {
      remembered.set(content, key)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    },
    forget: (content) => void remembered.delete(content),
  }
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
