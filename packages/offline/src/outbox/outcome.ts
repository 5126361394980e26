import { ActionError, type ActionErrorCode } from 'waymark/client'
import type { ReceivedResponse } from 'waymark/plugin/client'
import type { OutboxTexts } from '../shared/texts.ts'
import { isConflict } from './conflict.ts'
import type { Entry, EntryErrors, OutboxProblem } from './entry.ts'
import { outboxTexts } from './outboxTexts.ts'

/** The result of sending an entry. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The entry will be sent again with the same key. `isRefused` is set after a 4xx status. */
  | { readonly kind: 'later'; readonly isRefused?: true }
  /** The user has to decide. The next attempt gets a new key, unless `keepsKey` is set. */
  | { readonly kind: 'problem'; readonly problem: OutboxProblem; readonly keepsKey?: true }

type Problem = Extract<Outcome, { readonly kind: 'problem' }>

type Sent = Pick<Entry, 'timesSent'>

/** Returns the outcome of a complete response to an entry whose form no longer waits. */
export async function outcomeOf(
  response: ReceivedResponse['response'],
  sent: Sent,
): Promise<Outcome> {
  switch (response.kind) {
    case 'returned': {
      const value = await resultOf(response)
      if (!isConflict(value)) return { kind: 'sent' }
      const { message } = value
      return problem({ kind: 'conflict', message, current: storable(value.current) })
    }
    case 'redirect':
      if (response.type === 'push') return { kind: 'sent' }
      // Most likely, a guard or proxy.ts redirected the call before the action ran. If the action
      // did run after all, the same key prevents a second run.
      return { ...withText('sign-in', 'signIn'), keepsKey: true }
    case 'signal':
      if (response.status === 401) return withText('sign-in', 'signIn')
      return problem({ kind: 'refused', status: response.status, message: outboxTexts.refused })
    case 'invalid':
      return invalid(await response.value)
    case 'failed':
      return problem({
        kind: 'failed',
        digest: response.digest,
        message: `${outboxTexts.failed} (${response.digest})`,
      })
    case 'refused':
      return outcomeOfCode(response.code, sent)
  }
}

/**
 * Awaits a result, which is a promise if the response also contains a page. Even if it rejects, the action has
 * run.
 */
export async function resultOf({ value }: { readonly value: unknown }): Promise<unknown> {
  try {
    return await value
  } catch {
    return undefined
  }
}

/** Returns the outcome of an error. Anything but an `ActionError` counts as a network failure. */
export function outcomeOfError(error: unknown, sent: Sent): Outcome {
  if (!(error instanceof ActionError)) return { kind: 'later' }
  // This status comes from a proxy that would refuse the call again.
  if (error.status === 413) return withText('too-large', 'tooLarge')
  const outcome = outcomeOfCode(error.code, sent)
  return outcome.kind === 'later' && error.status !== null
    ? { kind: 'later', isRefused: true }
    : outcome
}

function outcomeOfCode(code: ActionErrorCode, { timesSent }: Sent): Outcome {
  switch (code) {
    // The call has already run with this key, so remove the entry.
    case 'response-gone':
      return { kind: 'sent' }
    // The server has seen the key with different cookies, for example before the session was
    // renewed, but doesn't tell if the earlier call ran. If this browser has sent the entry before,
    // the earlier call was the same one. Otherwise, it may have been a different call, so the user
    // decides. The server remembers a key for 8 days.
    case 'other-credentials':
      if (timesSent > 1) return { kind: 'sent' }
      return problem({ kind: 'unanswered', message: outboxTexts.unanswered })
    case 'not-sent':
    case 'cancelled':
    case 'unanswered':
    case 'cut':
    case 'unfinished':
    case 'too-slow':
      return { kind: 'later' }
    case 'failed':
      return problem({ kind: 'failed', digest: null, message: outboxTexts.failed })
    case 'timeout':
      return problem({ kind: 'failed', digest: null, message: outboxTexts.timeout })
    // The action didn't run, so keep the key. The entry waits until its owner signs in.
    case 'other-user':
      return {
        ...problem({ kind: 'sign-in', message: outboxTexts.otherUser }),
        keepsKey: true,
      }
    case 'foreign-origin':
      return problem({ kind: 'refused', status: 403, message: outboxTexts.refused })
    case 'too-large':
      return withText('too-large', 'tooLarge')
    case 'unknown':
    case 'stale':
    case 'key-reused':
    case 'malformed':
    case 'wrong-type':
      return withText('updated', 'updated')
  }
}

function problem(problem: OutboxProblem): Problem {
  return { kind: 'problem', problem }
}

function withText(
  kind: 'sign-in' | 'too-large' | 'updated',
  text: 'signIn' | 'tooLarge' | 'updated',
): Problem {
  return problem({ kind, message: outboxTexts[text satisfies keyof OutboxTexts] })
}

function invalid({ formErrors, fieldErrors }: EntryErrors): Outcome {
  const texts = [...formErrors, ...Object.values(fieldErrors).flat()]
  const message = texts.join(' ') || outboxTexts.invalid
  return problem({ kind: 'invalid', message, errors: { formErrors, fieldErrors } })
}

/**
 * Returns a value that the browser can store; `undefined` for React elements or promises, for
 * example.
 */
function storable(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return undefined
  }
}
