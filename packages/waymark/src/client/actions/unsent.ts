import type { ActionTexts } from '../../screens/texts.ts'
import type { Notice, NoticeBoard } from '../navigation/notice.ts'

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
