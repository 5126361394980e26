import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { Notice, NoticeBoard } from '../navigation/notice.ts'
import { type ReceivedResponse, TransportFailure } from './sendCall.ts'

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

/** Why a person is asked about a call. */
export type FailureReason = 'network' | 'foreign' | 'broken' | 'late'

/** What a person wants with a call. */
export type FailureChoice = 'retry' | 'dismiss'

/** A question about a call, until it is answered or taken back. */
export type FailureQuestion = {
  readonly choice: Promise<FailureChoice>
  choose(choice: FailureChoice): void
  withdraw(): void
}

/** Asks what shall become of calls that were not answered: all of them in one notice. */
export type FailureNotice = {
  ask(reason: FailureReason): FailureQuestion
  /** Says something that needs no answer. */
  tell(text: string): void
}

/** Makes the place where a window asks. */
export function createFailureNotice(
  view: Window,
  board: NoticeBoard,
  texts: ActionTexts,
): FailureNotice {
  const open = new Map<FailureQuestion, FailureReason>()
  /** What is said stands until it is read. */
  let told: string | null = null

  function chooseAll(choice: FailureChoice): void {
    for (const question of [...open.keys()]) question.choose(choice)
  }
  function show(): void {
    if (open.size > 0) board.show(asking())
    else if (told !== null) board.show(saying(told))
    else board.hide()
  }
  function asking(): Notice {
    return {
      text: textOf([...open.values()]),
      actions: [
        { label: texts.retry, run: () => chooseAll('retry') },
        { label: texts.dismiss, run: () => chooseAll('dismiss') },
      ],
    }
  }
  function textOf(reasons: readonly FailureReason[]): string {
    if (!view.navigator.onLine) return texts.offline
    if (reasons.length > 1) return texts.many.replace('{count}', String(reasons.length))
    return texts[reasons[0] ?? 'network']
  }
  function saying(text: string): Notice {
    const run = () => {
      told = null
      show()
    }
    return { text, actions: [{ label: texts.ok, run }] }
  }

  view.addEventListener('online', () => chooseAll('retry'))
  return {
    ask(reason) {
      const question = createQuestion((closed) => {
        if (open.delete(closed)) show()
      })
      open.set(question, reason)
      show()
      return question
    },
    tell(text) {
      told = text
      show()
    },
  }
}

function createQuestion(onClosed: (question: FailureQuestion) => void): FailureQuestion {
  let settle: FailureQuestion['choose'] = () => {}
  const choice = new Promise<FailureChoice>((resolve) => {
    settle = resolve
  })
  const question: FailureQuestion = {
    choice,
    withdraw: () => onClosed(question),
    choose(chosen) {
      onClosed(question)
      settle(chosen)
    },
  }
  return question
}

/** What becomes of an answer that breaks off after its result was given out. */
export type ResumableStream = {
  /** Tells whether it is to be asked for again: at first unasked, then as the person chooses. */
  goesOn(): Promise<boolean>
  /** Tells the person that what came is not what was sent, and may stand in the page. */
  tellOfCut(): void
}

/**
 * Follows the end of one answer: the server has it whole.
 * @param parts `pauseMs` before it is asked for again unasked
 */
export function readResumable(parts: {
  readonly unsent: FailureNotice
  readonly texts: ActionTexts
  readonly pauseMs: number
}): ResumableStream {
  const { unsent, texts, pauseMs } = parts
  let breaks = 0
  let isGivenUp = false
  return {
    async goesOn() {
      if (breaks++ === 0) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        return true
      }
      isGivenUp = (await unsent.ask('broken').choice) === 'dismiss'
      return !isGivenUp
    },
    tellOfCut() {
      if (!isGivenUp) unsent.tell(texts.answerGone)
    },
  }
}
