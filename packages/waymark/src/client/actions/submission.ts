import type { ReceivedAnswer } from './sendCall.ts'
import { TransportFailure } from './transportFailure.ts'
import type { Question, UnsentCalls, UnsentChoice, UnsentReason } from './unsent.ts'

/** How a submission is sent, and who is asked when that fails. */
export type SubmissionParts = {
  /** Makes one request of it. @throws TransportFailure */
  readonly send: (signal: AbortSignal) => Promise<ReceivedAnswer>
  readonly unsent: UnsentCalls
  /** After which a person is asked whether to go on waiting. */
  readonly lateMs: number
  /** Before what failed is tried for a second time, unasked. */
  readonly pauseMs: number
  /** The call's form was sent again as it is. */
  readonly onAgain: (listener: () => void) => void
  /** Called when a person is asked: it may take them long. */
  readonly onAsked: () => void
  /** Sends it by its form instead. @returns false when that can't be */
  readonly resend: () => boolean
}

/**
 * Sends a submission until there is an answer or the person gives it up. Every request is the
 * same submission, so that the server runs it once.
 * @returns the answer; `null` when it was given up
 */
export async function submit(parts: SubmissionParts): Promise<ReceivedAnswer | null> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await request(parts)
    if (outcome.kind === 'answered') return outcome.answer
    // What is wrong once may be right the next time, and nobody need know.
    if (outcome.kind === 'failed' && attempt === 0) {
      await new Promise((resolve) => setTimeout(resolve, parts.pauseMs))
      continue
    }
    const { choice } = outcome.kind === 'chosen' ? outcome : await decided(parts, outcome.fault)
    if (choice === 'dismiss' || parts.resend()) return null
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: ReceivedAnswer }
  | { readonly kind: 'failed'; readonly fault: UnsentReason }
  | Chosen
type Chosen = { readonly kind: 'chosen'; readonly choice: UnsentChoice }

/** One request. Past its time the person is asked; should the answer still come, it counts. */
async function request(parts: SubmissionParts): Promise<Outcome> {
  const giveUp = new AbortController()
  let question: Question | null = null
  let late: ReturnType<typeof setTimeout> | undefined
  const chosen = new Promise<Outcome>((resolve) => {
    late = setTimeout(() => {
      question = ask(parts, 'late')
      question.choice.then((choice) => {
        giveUp.abort()
        resolve({ kind: 'chosen', choice })
      })
    }, parts.lateMs)
  })
  const answered = parts.send(giveUp.signal).then(
    (answer): Outcome => ({ kind: 'answered', answer }),
    (error: unknown): Outcome | Promise<Outcome> => {
      // The choice was made: it is what counts.
      if (giveUp.signal.aborted) return chosen
      if (error instanceof TransportFailure) return { kind: 'failed', fault: error.fault }
      throw error
    },
  )
  try {
    return await Promise.race([answered, chosen])
  } finally {
    clearTimeout(late)
    ;(question as Question | null)?.withdraw()
  }
}

async function decided(parts: SubmissionParts, reason: UnsentReason): Promise<Chosen> {
  return { kind: 'chosen', choice: await ask(parts, reason).choice }
}

function ask({ unsent, onAgain, onAsked }: SubmissionParts, reason: UnsentReason): Question {
  const question = unsent.ask(reason)
  onAgain(() => question.choose('retry'))
  onAsked()
  return question
}
