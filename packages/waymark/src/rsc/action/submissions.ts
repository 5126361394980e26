import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../shared/actionAnswer.ts'
import type { Answer } from '../../shared/answer.ts'
import { type KeptAnswer, keepAnswer, replayAnswer } from './keptAnswer.ts'
import {
  createSubmissionEntries,
  defaultBounds,
  type SubmissionBounds,
  type SubmissionEntry,
} from './submissionEntries.ts'

/** One submission of a form, or one call, as often as it is sent. */
export type Submission = {
  /** As the client chose it. */
  readonly key: string
  readonly actionId: string
  readonly body: Uint8Array
  /** Whether another body under the same key is another submission, and no mistake. */
  readonly isPerBody: boolean
}

/** Runs submissions once, and answers their repeats with the answer of the first. */
export type Submissions = {
  /** @returns a refusal where the key belongs to another body, or the answer is not kept */
  once(
    submission: Submission,
    answer: () => Promise<Answer>,
  ): Promise<Answer | Extract<RefusalCode, 'key-reused' | 'answer-gone'>>
}

/** Makes what remembers submissions, in the memory of this process. */
export function createSubmissions(
  bounds: SubmissionBounds = defaultBounds,
  now: () => number = Date.now,
): Submissions {
  const entries = createSubmissionEntries(bounds, now)

  async function first(
    identity: string,
    bodyHash: string,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    let keep: (kept: KeptAnswer | null) => void = () => {}
    const kept = new Promise<KeptAnswer | null>((resolve) => {
      keep = resolve
    })
    const expiresAtMs = now() + bounds.ttlMs
    const entry: SubmissionEntry = { bodyHash, expiresAtMs, answer: kept, bytes: 0 }
    entries.add(identity, entry)
    const giveUp = () => {
      keep(null)
      entries.forget(identity, entry)
    }
    try {
      const given = await answer()
      // It did not run: it may be tried again.
      if (given.status === 409) {
        giveUp()
        return given
      }
      return keepAnswer(given, bounds.maxAnswerBytes, (whole) => {
        keep(whole)
        entries.hold(identity, entry, whole?.body.byteLength ?? 0)
      })
    } catch (thrown) {
      giveUp()
      throw thrown
    }
  }

  return {
    async once({ key, actionId, body, isPerBody }, answer) {
      const bodyHash = hash(body)
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const known = entries.get(identity)
      if (known === undefined) return first(identity, bodyHash, answer)
      if (known.bodyHash !== bodyHash) return 'key-reused'
      const kept = await known.answer
      return kept ? replayAnswer(kept) : 'answer-gone'
    },
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}
