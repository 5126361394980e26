import type { RefusalCode } from '../../wire/actionResponse.ts'

/** The reason why a call to a server action has no result. */
export type ActionErrorCode =
  | RefusalCode
  /** The action threw. `waymark errors` finds the error by its `digest`. */
  | 'failed'
  /** The browser was offline during all attempts, so nothing was sent. */
  | 'not-sent'
  /** The user has cancelled the upload of the call's files before the server had all of them. */
  | 'cancelled'
  /** No response arrived. The action may have run. */
  | 'unanswered'
  /** The connection broke while a promise or a stream in the result was pending. */
  | 'cut'

export type ActionErrorType =
  /** The call didn't leave the browser. */
  | 'not-sent'
  /** The action may have run, or may still be running. */
  | 'unknown'
  /** The server has not run the action. */
  | 'refused'
  /** The action ran. It threw, or its result was lost. */
  | 'failed'

/** Error that a failed call to a server action rejects with. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: ActionErrorCode
  readonly type: ActionErrorType
  /**
   * Id under which the error that the action threw is in the journal. `waymark errors` looks it up.
   */
  readonly digest?: string
  /** For `unanswered`, the 4xx status with which the request was refused; otherwise `null`. */
  readonly status: number | null
  /** Sends the call again with the same idempotency key. An action that has run doesn't run again. */
  readonly retry: () => Promise<unknown>
  /**
   * Called by error boundaries if the app has not caught the error.
   * @returns true if the boundary should show the page again instead of an error screen
   * @internal
   */
  declare onUncaught?: () => boolean

  constructor(
    code: ActionErrorCode,
    retry: () => Promise<unknown>,
    { digest, status = null }: { digest?: string; status?: number | null } = {},
  ) {
    super(messages[code])
    this.code = code
    this.type = types[code] ?? 'refused'
    this.retry = retry
    this.status = status
    if (digest !== undefined) this.digest = digest
  }
}

/** Maps error codes to types. All other codes are refusals. */
const types: { readonly [Code in ActionErrorCode]?: ActionErrorType } = {
  'not-sent': 'not-sent',
  cancelled: 'not-sent',
  unanswered: 'unknown',
  unfinished: 'unknown',
  timeout: 'unknown',
  failed: 'failed',
  cut: 'failed',
  'response-gone': 'failed',
}

const messages: Readonly<Record<ActionErrorCode, string>> = {
  failed: 'The server action threw an error. Find it with its digest: `waymark errors`.',
  'not-sent': 'The server action was not called, because the browser is offline.',
  cancelled: 'The server action was not called, because the upload was cancelled.',
  unanswered: 'The call to the server action got no response. The action may have run.',
  cut: 'The connection broke before the result of the server action was complete.',
  malformed: "The server couldn't read the call to the server action.",
  'foreign-origin': 'The server action was called from a page on a different site.',
  'other-user':
    'The page that called the server action was rendered for a user who is no longer signed in.',
  unknown: 'The server has no such action, or this page may not call it.',
  stale: 'The server action was called by an older version of the site. Reload the page.',
  'key-reused': "A different call has already used this call's idempotency key.",
  'response-gone': 'The server action ran, but its response is no longer stored.',
  'other-credentials': "This call's idempotency key was first used with different cookies.",
  unfinished: 'The server action is still running.',
  'too-large': 'The arguments of the server action are too large.',
  'too-slow': 'The arguments of the server action took too long to arrive.',
  'wrong-type': 'The call to the server action has an unsupported media type.',
  timeout: 'The server action took longer than its time limit.',
}
