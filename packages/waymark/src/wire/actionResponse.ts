import type { Payload } from './payload.ts'

/** The response to a call of a server action, as Flight; with `page` when it changed data. */
export type ActionResponse =
  | {
      readonly kind: 'returned'
      /** May be a promise, or hold promises and streams. */
      readonly value: unknown
      readonly page?: Payload
      /** Redirect of the page that was rendered after the action. */
      readonly leaveFor?: string
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly type: 'push' | 'replace' }
  /** `page` shows the screen of the status. */
  | { readonly kind: 'signal'; readonly status: number; readonly page: Payload }
  | { readonly kind: 'failed'; readonly digest: string; readonly page?: Payload }
  /** Status 422; the caller gets `value`. */
  | { readonly kind: 'invalid'; readonly value: InvalidInput; readonly page?: Payload }
  | {
      readonly kind: 'refused'
      readonly code: RefusalCode
      /** For `too-large`: what may be sent. */
      readonly maxBytes?: number
    }

export type RefusalCode = keyof typeof refusalStatuses

export const refusalStatuses = {
  malformed: 400,
  'foreign-origin': 403,
  /** The page names one user, and another one is signed in now. */
  'other-user': 409,
  'too-slow': 408,
  /** The build has no such action, or the page does not import it. */
  unknown: 409,
  /** Values that an older build, or another key, sealed. */
  stale: 409,
  /** The same idempotency key came with another call before. */
  'key-reused': 409,
  /** The action ran, but its response is no longer stored. */
  'response-gone': 409,
  'other-credentials': 409,
  unfinished: 409,
  'too-large': 413,
  'wrong-type': 415,
  /** The action took too long, and may have had effects. */
  timeout: 504,
} as const

/** Errors of an action's input, for a form to show beside its fields. */
export type InvalidInput = {
  readonly isInvalid: true
  readonly formErrors: readonly string[]
  /** By field name; nested fields with dots: `address.city`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly values: Readonly<Record<string, string | readonly string[]>>
}
