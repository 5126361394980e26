import type { ReceivedResponse } from './sendCall.ts'
import { TransportFailure } from './transportFailure.ts'
import type { FailureChoice, FailureNotice, FailureQuestion, FailureReason } from './unsent.ts'

/** How a submission is sent, and who is asked when that fails. */
export type SendWithRetryOptions = {
  /** Makes one request of it. @throws TransportFailure */
  readonly send: (signal: AbortSignal) => Promise<ReceivedResponse>
  readonly unsent: FailureNotice
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
export async function sendWithRetry(
  options: SendWithRetryOptions,
): Promise<ReceivedResponse | null> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await request(options)
    if (outcome.kind === 'answered') return outcome.answer
    // What is wrong once may be right the next time, and nobody need know.
    if (outcome.kind === 'failed' && attempt === 0) {
      await new Promise((resolve) => setTimeout(resolve, options.pauseMs))
      continue
    }
    const { choice } = outcome.kind === 'chosen' ? outcome : await decided(options, outcome.fault)
    if (choice === 'dismiss' || options.resend()) return null
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: ReceivedResponse }
  | { readonly kind: 'failed'; readonly fault: FailureReason }
  | Chosen
type Chosen = { readonly kind: 'chosen'; readonly choice: FailureChoice }

/** One request. Past its time the person is asked; should the answer still come, it counts. */
async function request(options: SendWithRetryOptions): Promise<Outcome> {
  const giveUp = new AbortController()
  let question: FailureQuestion | null = null
  let late: ReturnType<typeof setTimeout> | undefined
  const chosen = new Promise<Outcome>((resolve) => {
    late = setTimeout(() => {
      question = ask(options, 'late')
      question.choice.then((choice) => {
        giveUp.abort()
        resolve({ kind: 'chosen', choice })
      })
    }, options.lateMs)
  })
  const answered = options.send(giveUp.signal).then(
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
    ;(question as FailureQuestion | null)?.withdraw()
  }
}

async function decided(options: SendWithRetryOptions, reason: FailureReason): Promise<Chosen> {
  return { kind: 'chosen', choice: await ask(options, reason).choice }
}

function ask(
  { unsent, onAgain, onAsked }: SendWithRetryOptions,
  reason: FailureReason,
): FailureQuestion {
  const question = unsent.ask(reason)
  onAgain(() => question.choose('retry'))
  onAsked()
  return question
}
