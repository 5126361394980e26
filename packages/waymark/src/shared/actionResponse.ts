import type { Payload } from './payload.ts'

/**
 * The response to a call of a server action, written as Flight. `page` is there when the action
 * changed what is shown: the page of the URL it was posted to, rendered after it.
 */
export type ActionResponse =
  | {
      readonly kind: 'returned'
      /** May still be a promise, and hold promises and streams that settle later. */
      readonly value: unknown
      readonly page?: Payload
      /** Where the page, rendered again, sends the user instead of being shown. */
      readonly leaveFor?: string
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly type: 'push' | 'replace' }
  /** `page` shows the screen of the status. */
  | { readonly kind: 'signal'; readonly status: number; readonly page: Payload }
  | { readonly kind: 'failed'; readonly digest: string; readonly page?: Payload }
  /** The input was not what the action asks for: the caller gets `value`. Status 422. */
  | { readonly kind: 'invalid'; readonly value: InvalidInput; readonly page?: Payload }
  /** It did not run, or not to its end. */
  | { readonly kind: 'refused'; readonly code: RefusalCode }

/** Why a request for an action was refused. */
export type RefusalCode = keyof typeof refusalStatuses

/** The status of each refusal. */
export const refusalStatuses = {
  /** No action could be read from it. */
  malformed: 400,
  /** It came from a page of another site. */
  'foreign-origin': 403,
  /** It did not arrive in time. */
  'too-slow': 408,
  /** This build has no such action, or none that the page of this URL reaches. */
  unknown: 409,
  /** It carries values that only an older build, or another key, could read. */
  stale: 409,
  /** Its idempotency key was used for another call. */
  'key-reused': 409,
  /** It ran, and its response is no longer stored. */
  'response-gone': 409,
  /** Its idempotency key was used with other cookies, or another authorization. */
  'other-credentials': 409,
  /** The first request with its idempotency key has no response yet. */
  unfinished: 409,
  'too-large': 413,
  'wrong-type': 415,
  /** It took longer than its deadline. It may have had effects. */
  timeout: 504,
} as const

/** What is wrong with an action's input: what a form shows beside its fields. */
export type InvalidInput = {
  readonly isInvalid: true
  /** Of the whole, and of what is no field of it. */
  readonly formErrors: readonly string[]
  /** By field; nested ones with dots: `address.city`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  /** What was sent in text fields, to fill the form with again; without passwords. */
  readonly values: Readonly<Record<string, string | readonly string[]>>
}
