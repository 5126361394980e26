import { ActionError, type ActionErrorCode } from 'waymark/client'
import type { ReceivedResponse } from 'waymark/plugin/client'
import type { OutboxTexts } from '../shared/texts.ts'
import { isConflict } from './conflict.ts'
import type { Entry, EntryErrors, OutboxProblem } from './entry.ts'
import { outboxTexts } from './outboxTexts.ts'

/** The result of sending an entry. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The entry is sent again with the same key. `isRefused` is set after a response with a 4xx status. */
  | { readonly kind: 'later'; readonly isRefused?: true }
  /** A person decides about the entry. Its next try gets a new key, unless `keepsKey` is set. */
  | { readonly kind: 'problem'; readonly problem: OutboxProblem; readonly keepsKey?: true }

type Problem = Extract<Outcome, { readonly kind: 'problem' }>

type Sent = Pick<Entry, 'timesSent'>

/** What a whole response means for an entry whose form nobody waits at any more. */
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
      // Of a guard or proxy.ts, and nothing has run. If it is the action's after all, it runs once.
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

/** Beside a page that comes with it, a result is a promise. One that fails has run all the same. */
export async function resultOf({ value }: { readonly value: unknown }): Promise<unknown> {
  try {
    return await value
  } catch {
    return undefined
  }
}

/** What an error means for an entry: one of another kind is taken for a failure of the network. */
export function outcomeOfError(error: unknown, sent: Sent): Outcome {
  if (!(error instanceof ActionError)) return { kind: 'later' }
  // Of a proxy, which would refuse it again.
  if (error.status === 413) return withText('too-large', 'tooLarge')
  const outcome = outcomeOfCode(error.code, sent)
  return outcome.kind === 'later' && error.status !== null
    ? { kind: 'later', isRefused: true }
    : outcome
}

function outcomeOfCode(code: ActionErrorCode, { timesSent }: Sent): Outcome {
  switch (code) {
    // It ran before, under this key.
    case 'response-gone':
      return { kind: 'sent' }
    // The key came before, with the cookies before these: after each renewal of a session the server
    // says so for the 8 days that it remembers a key, and never what became of the call. Where this
    // browser has sent it before, that was the call. Else nobody knows: a person decides.
    case 'other-credentials':
      if (timesSent > 1) return { kind: 'sent' }
      return problem({ kind: 'unanswered', message: outboxTexts.unanswered })
    case 'not-sent':
    case 'unanswered':
    case 'cut':
    case 'unfinished':
    case 'too-slow':
      return { kind: 'later' }
    case 'failed':
      return problem({ kind: 'failed', digest: null, message: outboxTexts.failed })
    case 'timeout':
      return problem({ kind: 'failed', digest: null, message: outboxTexts.timeout })
    // The action did not run: the entry keeps its key and waits until its owner signs in.
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

/** What a browser can store: no elements of React, and no promises. */
function storable(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return undefined
  }
}
