import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../shared/actionAnswer.ts'
import type { Answer } from '../../shared/answer.ts'
import { type KeptAnswer, keepAnswer, replayAnswer } from './keptAnswer.ts'

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

type Entry = {
  readonly bodyHash: string
  readonly expiresAtMs: number
  /** `null` where the answer was too large to be kept. */
  readonly answer: Promise<KeptAnswer | null>
  bytes: number
}

/** Bounds of what is kept. */
export type SubmissionBounds = {
  readonly ttlMs: number
  readonly maxBytes: number
  readonly maxAnswerBytes: number
  readonly maxEntries: number
}

const defaultBounds: SubmissionBounds = {
  ttlMs: 10 * 60_000,
  maxBytes: 32_000_000,
  maxAnswerBytes: 1_000_000,
  maxEntries: 10_000,
}

/** Makes what remembers submissions, in the memory of this process. */
export function createSubmissions(
  bounds: SubmissionBounds = defaultBounds,
  now: () => number = Date.now,
): Submissions {
  // The oldest first.
  const entries = new Map<string, Entry>()
  let keptBytes = 0

  function forget(identity: string, entry: Entry): void {
    if (entries.get(identity) === entry) entries.delete(identity)
    keptBytes -= entry.bytes
    entry.bytes = 0
  }

  function makeRoom(): void {
    for (const [identity, entry] of entries) {
      const isOver = entries.size > bounds.maxEntries || keptBytes > bounds.maxBytes
      if (!isOver && entry.expiresAtMs > now()) return
      forget(identity, entry)
    }
  }

  async function first(
    identity: string,
    bodyHash: string,
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    let keep: (kept: KeptAnswer | null) => void = () => {}
    const kept = new Promise<KeptAnswer | null>((resolve) => {
      keep = resolve
    })
    const entry: Entry = { bodyHash, expiresAtMs: now() + bounds.ttlMs, answer: kept, bytes: 0 }
    entries.set(identity, entry)
    makeRoom()
    try {
      const given = await answer()
      // It did not run: it may be tried again.
      if (given.status === 409) {
        keep(null)
        forget(identity, entry)
        return given
      }
      return keepAnswer(given, bounds.maxAnswerBytes, (whole) => {
        keep(whole)
        if (entries.get(identity) !== entry) return
        entry.bytes = whole?.body.byteLength ?? 0
        keptBytes += entry.bytes
        makeRoom()
      })
    } catch (thrown) {
      keep(null)
      forget(identity, entry)
      throw thrown
    }
  }

  return {
    async once({ key, actionId, body, isPerBody }, answer) {
      const bodyHash = hash(body)
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const known = entries.get(identity)
      if (known === undefined || known.expiresAtMs <= now()) {
        return first(identity, bodyHash, answer)
      }
      if (known.bodyHash !== bodyHash) return 'key-reused'
      const kept = await known.answer
      return kept ? replayAnswer(kept) : 'answer-gone'
    },
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}
