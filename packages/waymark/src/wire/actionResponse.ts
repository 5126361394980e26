import type { Payload } from './payload.ts'

/** Result of a call to a server action, sent as Flight. `page` is set if the action changed data. */
export type ActionResponse =
  | {
      readonly kind: 'returned'
      /** The action's return value. It may be a promise, or contain promises and streams. */
      readonly value: unknown
      readonly page?: Payload
      /** Target of a redirect, if rendering the page after the action has led to one. */
      readonly leaveFor?: string
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly type: 'push' | 'replace' }
  /** The action threw a signal such as `notFound()`. `page` shows the screen for `status`. */
  | { readonly kind: 'signal'; readonly status: number; readonly page: Payload }
  | { readonly kind: 'failed'; readonly digest: string; readonly page?: Payload }
  /** The input was invalid. The response has the status 422, and the caller receives `value`. */
  | { readonly kind: 'invalid'; readonly value: InvalidInput; readonly page?: Payload }
  | {
      readonly kind: 'refused'
      readonly code: RefusalCode
      /** Maximum bytes of a body, for `too-large`. */
      readonly maxBytes?: number
    }

export type RefusalCode = keyof typeof refusalStatuses

export const refusalStatuses = {
  malformed: 400,
  'foreign-origin': 403,
  /** A different user is signed in than the one for whom the page was rendered. */
  'other-user': 409,
  'too-slow': 408,
  /** The build has no action with this id, or the page doesn't import it. */
  unknown: 409,
  /** An older build, or a different key, encrypted values in the call. */
  stale: 409,
  /** An earlier, different call used the same idempotency key. */
  'key-reused': 409,
  /** The action has already run, but its response is no longer stored. */
  'response-gone': 409,
  'other-credentials': 409,
  unfinished: 409,
  'too-large': 413,
  'wrong-type': 415,
  /** The action exceeded its time limit. It may have had effects. */
  timeout: 504,
} as const

/** Errors in an action's input, for a form to show next to its fields. */
export type InvalidInput = {
  readonly isInvalid: true
  readonly formErrors: readonly string[]
  /** Errors, keyed by field name. Names of nested fields contain dots: `address.city`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly values: Readonly<Record<string, string | readonly string[]>>
  /**
   * Names of the files that a form without JavaScript has sent, keyed by field name. A browser
   * can't put files back into a form that it loads again, so the form should ask for them.
   */
  readonly files?: Readonly<Record<string, readonly string[]>>
}
