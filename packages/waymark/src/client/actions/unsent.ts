import type { ActionTexts } from '../../screens/texts.ts'
import type { Notice, NoticeBoard } from '../navigation/notice.ts'

/** Why a person is asked about a call. */
export type UnsentReason = 'network' | 'foreign' | 'broken' | 'late'

/** What a person wants with a call. */
export type UnsentChoice = 'retry' | 'dismiss'

/** A question about a call, until it is answered or taken back. */
export type Question = {
  readonly choice: Promise<UnsentChoice>
  choose(choice: UnsentChoice): void
  withdraw(): void
}

/** Asks what shall become of calls that were not answered: all of them in one notice. */
export type UnsentCalls = {
  ask(reason: UnsentReason): Question
  /** Says something that needs no answer. */
  tell(text: string): void
}

/** Makes the place where a window asks. */
export function createUnsentCalls(
  view: Window,
  board: NoticeBoard,
  texts: ActionTexts,
): UnsentCalls {
  const open = new Map<Question, UnsentReason>()
  /** What is said stands until it is read. */
  let told: string | null = null

  function chooseAll(choice: UnsentChoice): void {
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
  function textOf(reasons: readonly UnsentReason[]): string {
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

function createQuestion(onClosed: (question: Question) => void): Question {
  let settle: Question['choose'] = () => {}
  const choice = new Promise<UnsentChoice>((resolve) => {
    settle = resolve
  })
  const question: Question = {
    choice,
    withdraw: () => onClosed(question),
    choose(chosen) {
      onClosed(question)
      settle(chosen)
    },
  }
  return question
}
