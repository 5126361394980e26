import type { DraftValue } from 'waymark/plugin/client'

/** Why an entry waits for its person. `message` is a text for people. */
export type OutboxProblem = { readonly message: string } & (
  | { readonly kind: 'invalid'; readonly errors: EntryErrors }
  /** Of an action that returned `conflict(message, current)`. */
  | { readonly kind: 'conflict'; readonly current: unknown }
  /** It is sent by itself once the same user has signed in. */
  | { readonly kind: 'sign-in' }
  /** A guard, or the action, has refused it: 403, 404 … */
  | { readonly kind: 'refused'; readonly status: number }
  /** The action threw. `waymark errors` looks the digest up. */
  | { readonly kind: 'failed'; readonly digest: string | null }
  /** The site was updated: it has no such form any more. */
  | { readonly kind: 'updated' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-old' }
  /** There is a connection, and still no response. */
  | { readonly kind: 'unanswered' }
  /** Somebody has begun to edit it. */
  | { readonly kind: 'edited' }
)

export type EntryErrors = {
  readonly formErrors: readonly string[]
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
}

export type EntryState =
  | { readonly kind: 'waiting' }
  /** `untilMs`: then, a browser without Web Locks takes it for abandoned. */
  | { readonly kind: 'sending'; readonly untilMs: number }
  | { readonly kind: 'needs-attention'; readonly problem: OutboxProblem }

/** A field as text; a file by its name. */
export type EntryField = readonly [name: string, value: string]

/** What people and the app see of a call. */
export type CallDescription = {
  /** `name` of the form, or of `queued()`. */
  readonly name: string | null
  readonly label: string
  readonly fields: readonly EntryField[]
  /** What fills the form in again; `null` for a call without a form. */
  readonly draft: EntryDraft | null
}

export type EntryDraft = {
  /** The form among those of its page: its name, or its place. */
  readonly form: string
  /** As in `fieldsByKey` of the core. */
  readonly values: readonly (readonly [key: string, value: DraftValue])[]
}

/** The page that a call was made on. */
export type EntryPage = {
  readonly pathname: string
  readonly search: string
  readonly from: string
  readonly beside: readonly string[]
}

/** A call as it is stored. */
export type Entry = {
  /** Counts up in the order of making, over all tabs. */
  readonly id: number
  /** Idempotency key. */
  readonly key: string
  /** Id of the action. */
  readonly action: string
  /** The only build that may get it: in another one, the id may be that of another action. */
  readonly build: string | null
  readonly body: string | readonly (readonly [name: string, value: FormDataEntryValue])[]
  readonly bytes: number
  readonly page: EntryPage
  readonly description: CallDescription
  readonly madeAtMs: number
  /** Who made it: nobody else sees it, or sends it. */
  readonly owner: string | null
  /** The same user, as the server has sealed it; missing where no page has named one. */
  readonly sealedUser?: string | null | undefined
  /** Until then, only the tab sends it whose code waits for the response. */
  readonly awaitedUntilMs: number
  /** The Web Lock that the document holds whose code waits; missing where the browser has none. */
  readonly senderLock?: string | null
  /** How often it got no response while others would have. */
  readonly tries: number
  /** How often this browser has begun to send it under its key. */
  readonly timesSent: number
  readonly state: EntryState
  /** What the service worker got for it while no page was open: the next page reads it. */
  readonly received?: StoredResponse | null
}

/** A whole response to a call. */
export type StoredResponse = {
  /** Flight; empty where it is too large to be stored: then a page asks for it again. */
  readonly body: Uint8Array<ArrayBuffer>
  /** What the action has changed, by the response's header. */
  readonly changed: 'session' | 'data' | null
}

/** An action within a component has its place in the file as its name. */
export const isInline = (action: string): boolean => action.includes('#$$hoist_')

export type NewEntry = Omit<Entry, 'id'>

export const waiting: EntryState = { kind: 'waiting' }

/** An entry as it is while it is being sent. */
export function sending(entry: Entry, untilMs: number): Entry {
  return { ...entry, timesSent: entry.timesSent + 1, state: { kind: 'sending', untilMs } }
}

const keyBytes = 16

// Not `randomUUID`, which pages without TLS don't have.
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function storedBody(body: string | FormData): Entry['body'] {
  return typeof body === 'string' ? body : [...body]
}

export function bodyOf({ body }: Pick<Entry, 'body'>): string | FormData {
  if (typeof body === 'string') return body
  const data = new FormData()
  for (const [name, value] of body) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, value.name)
  }
  return data
}

/** What is sent of an entry, each time: its content and key, for the core. */
export function sentCall({ action, key, body }: Pick<Entry, 'action' | 'key' | 'body'>) {
  // No other call has this content: none takes its key.
  return { encoded: { id: action, body: bodyOf({ body }), content: `outbox ${key}` }, key }
}

export function bytesOf(body: Entry['body']): number {
  const length = (value: FormDataEntryValue) =>
    typeof value === 'string' ? new TextEncoder().encode(value).length : value.size
  if (typeof body === 'string') return length(body)
  return body.reduce((sum, [name, value]) => sum + length(name) + length(value), 0)
}
