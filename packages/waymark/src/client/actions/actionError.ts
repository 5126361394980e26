import type { RefusalCode } from '../../wire/actionResponse.ts'

/** Why a call of a server action has no result. */
export type ActionErrorCode =
  | RefusalCode
  /** The action threw; `digest` leads to what. */
  | 'failed'
  /** The browser was offline for all attempts: nothing was sent. */
  | 'not-sent'
  /** No response of the server came. Whether it ran is not known. */
  | 'unanswered'
  /** The connection broke while a promise or a stream of the result was still to settle. */
  | 'cut'

export type ActionErrorType =
  /** It did not leave the browser. */
  | 'not-sent'
  /** It may have run, or may still run. */
  | 'unknown'
  /** The server has not run it. */
  | 'refused'
  /** It ran, and threw, or its result is lost. */
  | 'failed'

/** The error with which a call of a server action rejects. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: ActionErrorCode
  readonly type: ActionErrorType
  /** Of an action that threw: `waymark errors` looks it up. */
  readonly digest?: string
  /** Of `unanswered`: the status of 4xx with which something refused the request; else `null`. */
  readonly status: number | null
  /** Sends the call again under the same idempotency key: what has run does not run again. */
  readonly retry: () => Promise<unknown>
  /**
   * Called by error boundaries, when the app has not caught it.
   * @returns whether the page is to be shown as it was
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

/** Of other codes: refused. */
const types: { readonly [Code in ActionErrorCode]?: ActionErrorType } = {
  'not-sent': 'not-sent',
  unanswered: 'unknown',
  unfinished: 'unknown',
  timeout: 'unknown',
  failed: 'failed',
  cut: 'failed',
  'response-gone': 'failed',
}

const messages: Readonly<Record<ActionErrorCode, string>> = {
  failed: 'The server action threw.',
  'not-sent': 'The server action was not called: the browser is offline.',
  unanswered: 'The server action got no response.',
  cut: 'The result of the server action broke off.',
  malformed: 'The server could not read the call of the action.',
  'foreign-origin': 'The action was called from a page of another site.',
  'other-user': 'The page of this call belongs to another user than the one who is signed in now.',
  unknown: 'The server has no such action.',
  stale: 'The call of the action belongs to an older version of the site.',
  'key-reused': 'The idempotency key of this call was used for another one.',
  'response-gone': 'The action ran, and its response is no longer stored.',
  'other-credentials': 'The idempotency key of this call was used with other cookies.',
  unfinished: 'The action has not responded yet.',
  'too-large': 'What was sent to the action is too large.',
  'too-slow': 'What was sent to the action took too long to arrive.',
  'wrong-type': 'The call of the action has a media type that it can not have.',
  timeout: 'The action took longer than it may.',
}
