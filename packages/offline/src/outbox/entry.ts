import type { DraftValue } from 'waymark/plugin/client'

/** Reason why an entry needs its user's attention. `message` is a text for the user. */
export type OutboxProblem = { readonly message: string } & (
  | { readonly kind: 'invalid'; readonly errors: EntryErrors }
  /** The action returned `conflict(message, current)`. */
  | { readonly kind: 'conflict'; readonly current: unknown }
  /** The entry is sent automatically once the same user has signed in. */
  | { readonly kind: 'sign-in' }
  /** A guard or the action refused the call with this status, such as 403 or 404. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The action threw an error. `waymark errors` finds it by the digest. */
  | { readonly kind: 'failed'; readonly digest: string | null }
  /** The site was updated and no longer has this form. */
  | { readonly kind: 'updated' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-old' }
  /** The site is reachable, but doesn't respond to the entry. */
  | { readonly kind: 'unanswered' }
  /** The user has begun to edit the entry. */
  | { readonly kind: 'edited' }
)

/** Validation errors of an entry, in general and by field. */
export type EntryErrors = {
  readonly formErrors: readonly string[]
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
}

export type EntryState =
  | { readonly kind: 'waiting' }
  /** In a browser without Web Locks, an attempt counts as abandoned after `untilMs`. */
  | { readonly kind: 'sending'; readonly untilMs: number }
  | { readonly kind: 'needs-attention'; readonly problem: OutboxProblem }

/** A field as text. A file is represented by its name. */
export type EntryField = readonly [name: string, value: string]

/** Description of a call for users and for the app. */
export type CallDescription = {
  /** `name` of the form, or of the options of `queued()`. */
  readonly name: string | null
  readonly label: string
  readonly fields: readonly EntryField[]
  /** Values that fill in the form again; `null` for a call without a form. */
  readonly draft: EntryDraft | null
}

export type EntryDraft = {
  /** Name or position that identifies the form on its page. */
  readonly form: string
  /** The form's values, each with its key from the core's `fieldsByKey`. */
  readonly values: readonly (readonly [key: string, value: DraftValue])[]
}

/** The page that a call was made on. */
export type EntryPage = {
  readonly pathname: string
  readonly search: string
  readonly from: string
  readonly beside: readonly string[]
}

/** A stored call. */
export type Entry = {
  /** Increases with each entry, across all tabs. */
  readonly id: number
  /** Idempotency key. */
  readonly key: string
  /** Id of the action. */
  readonly action: string
  /**
   * Id of the only build that may receive the entry. A different build may use the action's id for
   * a different action.
   */
  readonly build: string | null
  readonly body: string | readonly (readonly [name: string, value: FormDataEntryValue])[]
  readonly bytes: number
  readonly page: EntryPage
  readonly description: CallDescription
  readonly madeAtMs: number
  /** The user who created the entry. Nobody else sees or sends it. */
  readonly owner: string | null
  /** The same user, as sealed by the server; missing if no page has named a user. */
  readonly sealedUser?: string | null | undefined
  /** Until then, only the tab whose code awaits the response sends the entry. */
  readonly awaitedUntilMs: number
  /** Web Lock of the document whose code awaits the response; missing without Web Locks. */
  readonly senderLock?: string | null
  /** Number of attempts without a response although the site was reachable. */
  readonly tries: number
  /** How often this browser has begun to send the entry with its current key. */
  readonly timesSent: number
  readonly state: EntryState
  /** Response that the service worker got while no page was open. The next page reads it. */
  readonly received?: StoredResponse | null
}

/** A complete response to a call. */
export type StoredResponse = {
  /** Flight; empty if it is too large to store, in which case a page sends the call again. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Kind of change that the action made, according to the response's header. */
  readonly changed: 'session' | 'data' | null
}

/** True for an action inside a component. Its id depends on its position in the file. */
export const isInline = (action: string): boolean => action.includes('#$$hoist_')

export type NewEntry = Omit<Entry, 'id'>

export const waiting: EntryState = { kind: 'waiting' }

/** Returns the entry in the state it has while it is being sent. */
export function sending(entry: Entry, untilMs: number): Entry {
  return { ...entry, timesSent: entry.timesSent + 1, state: { kind: 'sending', untilMs } }
}

const keyBytes = 16

// Don't use `randomUUID`, which doesn't exist on pages without TLS.
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

/** Returns what the core needs for each attempt to send an entry: its content and its key. */
export function sentCall({ action, key, body }: Pick<Entry, 'action' | 'key' | 'body'>) {
  // No other call may reuse the entry's key, so the content is unique.
  return { encoded: { id: action, body: bodyOf({ body }), content: `outbox ${key}` }, key }
}

export function bytesOf(body: Entry['body']): number {
  const length = (value: FormDataEntryValue) =>
    typeof value === 'string' ? new TextEncoder().encode(value).length : value.size
  if (typeof body === 'string') return length(body)
  return body.reduce((sum, [name, value]) => sum + length(name) + length(value), 0)
}
