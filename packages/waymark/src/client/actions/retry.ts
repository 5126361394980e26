import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { NoticeBoard } from '../navigation/notice.ts'
import { type ReceivedResponse, TransportFailure } from './sendCall.ts'

/** How a call is sent, and what is asked when that fails. */
export type SendWithRetryOptions = {
  /** Makes one request. @throws TransportFailure */
  readonly send: (signal: AbortSignal) => Promise<ReceivedResponse>
  readonly notice: FailureNotice
  /** After which the user is asked whether to go on waiting. */
  readonly timeoutMs: number
  /** Before the first retry, of which the user learns nothing. */
  readonly pauseMs: number
  /** Sets the listener for the call's form being submitted again as it is. */
  readonly onResubmit: (listener: () => void) => void
  /** Called when the user is asked: it may take them long. */
  readonly onQuestion: () => void
  /** Sends it by its form instead. @returns false when that can't be */
  readonly resubmit: () => boolean
}

/**
 * Sends a call until there is a response or the user gives it up. Every request has the same
 * idempotency key, so that the server runs it once.
 * @returns the response; `null` when it was given up
 */
export async function sendWithRetry(
  options: SendWithRetryOptions,
): Promise<ReceivedResponse | null> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await request(options)
    if (outcome.kind === 'received') return outcome.received
    // What is wrong once may be right the next time.
    if (outcome.kind === 'failed' && attempt === 0) {
      await new Promise((resolve) => setTimeout(resolve, options.pauseMs))
      continue
    }
    const choice =
      outcome.kind === 'chosen' ? outcome.choice : await ask(options, outcome.fault).choice
    if (choice === 'dismiss' || options.resubmit()) return null
  }
}

type Outcome =
  | { readonly kind: 'received'; readonly received: ReceivedResponse }
  | { readonly kind: 'failed'; readonly fault: FailureReason }
  | { readonly kind: 'chosen'; readonly choice: FailureChoice }

/** One request. Past its time the user is asked; should the response still come, it counts. */
async function request(options: SendWithRetryOptions): Promise<Outcome> {
  const giveUp = new AbortController()
  let withdraw = () => {}
  let timeout: ReturnType<typeof setTimeout> | undefined
  const chosen = new Promise<Outcome>((resolve) => {
    timeout = setTimeout(async () => {
      const question = ask(options, 'late')
      withdraw = question.withdraw
      const choice = await question.choice
      giveUp.abort()
      resolve({ kind: 'chosen', choice })
    }, options.timeoutMs)
  })
  const received = options.send(giveUp.signal).then(
    (received): Outcome => ({ kind: 'received', received }),
    (error: unknown): Outcome | Promise<Outcome> => {
      // The user's choice is what counts.
      if (giveUp.signal.aborted) return chosen
      if (error instanceof TransportFailure) return { kind: 'failed', fault: error.fault }
      throw error
    },
  )
  try {
    return await Promise.race([received, chosen])
  } finally {
    clearTimeout(timeout)
    withdraw()
  }
}

function ask(
  { notice, onResubmit, onQuestion }: SendWithRetryOptions,
  reason: FailureReason,
): FailureQuestion {
  const question = notice.ask(reason)
  onResubmit(() => question.choose('retry'))
  onQuestion()
  return question
}

/** Why the user is asked about a call. */
export type FailureReason = 'network' | 'foreign' | 'broken' | 'late'

/** What the user wants with a call. */
export type FailureChoice = 'retry' | 'dismiss'

/** A question about a call, until the user chooses or it is withdrawn. */
export type FailureQuestion = {
  readonly choice: Promise<FailureChoice>
  choose(choice: FailureChoice): void
  withdraw(): void
}

/** Asks what shall become of failed calls: all of them in one notice. */
export type FailureNotice = {
  ask(reason: FailureReason): FailureQuestion
  /** Shows a text, beneath open questions, until the user confirms it. */
  show(text: string): void
}

/** Creates the failure notice of a window. */
export function createFailureNotice(
  view: Window,
  board: NoticeBoard,
  texts: ActionTexts,
): FailureNotice {
  const open = new Map<FailureQuestion, FailureReason>()
  let message: string | null = null

  function chooseAll(choice: FailureChoice): void {
    for (const question of [...open.keys()]) question.choose(choice)
  }
  function confirm(): void {
    message = null
    update()
  }
  function update(): void {
    const retry = { label: texts.retry, run: () => chooseAll('retry') }
    const dismiss = { label: texts.dismiss, run: () => chooseAll('dismiss') }
    if (open.size > 0) board.show({ text: questionText(), actions: [retry, dismiss] })
    else if (message === null) board.hide()
    else board.show({ text: message, actions: [{ label: texts.ok, run: confirm }] })
  }
  function questionText(): string {
    const [reason = 'network'] = open.values()
    if (!view.navigator.onLine) return texts.offline
    return open.size > 1 ? texts.many.replace('{count}', String(open.size)) : texts[reason]
  }

  view.addEventListener('online', () => chooseAll('retry'))
  return {
    ask(reason) {
      let resolve: (choice: FailureChoice) => void = () => {}
      const question: FailureQuestion = {
        choice: new Promise((settle) => {
          resolve = settle
        }),
        withdraw() {
          if (open.delete(question)) update()
        },
        choose(choice) {
          question.withdraw()
          resolve(choice)
        },
      }
      open.set(question, reason)
      update()
      return question
    },
    show(text) {
      message = text
      update()
    },
  }
}

/** What becomes of a response that breaks off after its result was given. */
export type StreamRecovery = {
  /** Whether to request it again: the first time without a question, then as the user chooses. */
  shouldResume(): Promise<boolean>
  /** Shows that what came is not what was sent, and may stand in the page. */
  reportCut(): void
}

/** Creates the recovery of one response: the server has it whole. */
export function createStreamRecovery({
  notice,
  texts,
  pauseMs,
}: {
  readonly notice: FailureNotice
  readonly texts: ActionTexts
  readonly pauseMs: number
}): StreamRecovery {
  let breaks = 0
  let isGivenUp = false
  return {
    async shouldResume() {
      if (breaks++ === 0) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        return true
      }
      isGivenUp = (await notice.ask('broken').choice) === 'dismiss'
      return !isGivenUp
    },
    reportCut() {
      if (!isGivenUp) notice.show(texts.answerGone)
    },
  }
}
