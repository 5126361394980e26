import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../shared/actionAnswer.ts'
import type { Answer } from '../../shared/answer.ts'
import { type KeptAnswer, keepAnswer, replayAnswer } from './keptAnswer.ts'
import { type SharedStore, takeTurn } from './sharedSubmissions.ts'
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
  /** Of what it says. */
  readonly bodyHash: string
  /** Whether another body under the same key is another submission, and no mistake. */
  readonly isPerBody: boolean
}

/** Runs submissions once, and answers their repeats with the answer of the first. */
export type Submissions = {
  /** @returns a refusal where the key belongs to another body, or the answer is not kept */
  once(submission: Submission, answer: () => Promise<Answer>): Promise<Answer | RepeatRefusal>
  /** Shares answers with other replicas, from now on. */
  attach(store: SharedStore): void
}

type RepeatRefusal = Extract<RefusalCode, 'key-reused' | 'answer-gone'>

/** Makes what remembers submissions: in the memory of this process, and where replicas share it. */
export function createSubmissions(
  bounds: SubmissionBounds = defaultBounds,
  now: () => number = Date.now,
): Submissions {
  const entries = createSubmissionEntries(bounds, now)
  let store: SharedStore | null = null

  async function first(identity: string, bodyHash: string, answer: () => Promise<Answer>) {
    const expiresAtMs = now() + bounds.ttlMs
    const { entry, keep } = createEntry(bodyHash, expiresAtMs)
    entries.add(identity, entry)
    const kept = (whole: KeptAnswer | null) => {
      keep(whole)
      entries.hold(identity, entry, whole?.body.byteLength ?? 0)
    }
    // A store that fails leaves each replica to itself.
    const turn = store && (await takeTurn(store, identity, bounds.ttlMs).catch(() => null))
    if (turn?.kind === 'answered') {
      kept(turn.answer)
      if (turn.bodyHash !== bodyHash) return 'key-reused'
      return turn.answer ? replayAnswer(turn.answer) : 'answer-gone'
    }
    const shared = turn?.kind === 'own' ? turn : null
    const giveUp = async () => {
      keep(null)
      entries.forget(identity, entry)
      await shared?.release()
    }
    const run = async () => (turn?.kind === 'gone' ? ('answer-gone' as const) : answer())
    const given = await run().catch(async (thrown: unknown) => {
      await giveUp()
      throw thrown
    })
    // It did not run: it may be tried again.
    if (typeof given === 'string' || given.status === 409) {
      await giveUp()
      return given
    }
    return keepAnswer(given, bounds.maxAnswerBytes, (whole) => {
      kept(whole)
      void shared?.share(bodyHash, whole)
    })
  }

  return {
    attach(shared) {
      store = shared
    },
    async once({ key, actionId, bodyHash, isPerBody }, answer) {
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const known = entries.get(identity)
      if (known === undefined) return first(identity, bodyHash, answer)
      if (known.bodyHash !== bodyHash) return 'key-reused'
      const kept = await known.answer
      return kept ? replayAnswer(kept) : 'answer-gone'
    },
  }
}

function createEntry(bodyHash: string, expiresAtMs: number) {
  let keep: (kept: KeptAnswer | null) => void = () => {}
  const answer = new Promise<KeptAnswer | null>((resolve) => {
    keep = resolve
  })
  const entry: SubmissionEntry = { bodyHash, expiresAtMs, answer, bytes: 0 }
  return { entry, keep }
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}
