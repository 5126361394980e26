import { englishActions } from '../../screens/englishActions.ts'
import {
  type ActionTexts,
  fillText,
  type ScreenLocale,
  sizeText,
} from '../../screens/screenTexts.ts'
import type { RefusalCode } from '../../wire/actionResponse.ts'
import type { NoticeBoard } from '../navigation/notice.ts'

export function actionTexts(texts: Partial<ActionTexts>): ActionTexts {
  return { ...englishActions, ...texts }
}

export const refusalTexts: Readonly<Record<RefusalCode, keyof ActionTexts>> = {
  stale: 'updated',
  unknown: 'updated',
  'foreign-origin': 'foreignOrigin',
  'other-user': 'otherUser',
  'response-gone': 'resultGone',
  'other-credentials': 'resultGone',
  unfinished: 'late',
  'too-large': 'tooLarge',
  timeout: 'timeout',
  'too-slow': 'network',
  malformed: 'failed',
  'key-reused': 'failed',
  'wrong-type': 'failed',
}

/** @param maxBytes the server's size limit, if the call was too large */
export function refusalText(
  code: RefusalCode,
  { texts, locale }: { readonly texts: ActionTexts; readonly locale: ScreenLocale },
  maxBytes?: number,
): string {
  const text = texts[refusalTexts[code]]
  if (maxBytes === undefined) return text
  return `${text} ${fillText(texts.sizeLimit, { limit: sizeText(maxBytes, locale) })}`
}

export type CallProblem =
  | { readonly kind: 'network' }
  /** Something other than the site responded, such as a gateway or a captive portal. */
  | { readonly kind: 'foreign' }
  /** The response has a 4xx status and doesn't come from an action. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The response was cut off or corrupted. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'late' }

/** Returns the text for a call that got no response from an action. */
export function problemText(problem: CallProblem, texts: ActionTexts): string {
  if (problem.kind !== 'refused') return texts[problem.kind]
  const { status } = problem
  if (status === 413) return texts.tooLarge
  if (status === 431) return texts.cookiesTooLarge
  return fillText(texts.refused, { status: String(status) })
}

export type CallChoice = 'retry' | 'dismiss' | 'wait'

/** A question about a call, open until the user answers or `withdraw` is called. */
export type CallQuestion = {
  choose(choice: CallChoice): void
  withdraw(): void
}

/** Asks the user about failed calls. All failed calls share one notice. */
export type CallNotice = {
  ask(problem: CallProblem, onChoice: (choice: CallChoice) => void): CallQuestion
  /** Shows a message until the user confirms it. Open questions come first. */
  show(text: string): void
}

export function createCallNotice(view: Window, board: NoticeBoard, texts: ActionTexts): CallNotice {
  const open = new Map<CallQuestion, CallProblem>()
  let message: string | null = null

  const button = (label: string, run: () => void) => ({ label, run })
  function chooseAll(choice: CallChoice): void {
    for (const question of [...open.keys()]) question.choose(choice)
  }
  function show(text: string | null): void {
    message = text
    update()
  }
  function update(): void {
    if (open.size > 0) {
      const isLate = areLate()
      const choice = (label: string, value: CallChoice) => button(label, () => chooseAll(value))
      const wait = isLate ? [choice(texts.wait, 'wait')] : []
      const others = [choice(texts.retry, 'retry'), choice(texts.dismiss, 'dismiss')]
      const onEscape = () => chooseAll(isLate ? 'wait' : 'dismiss')
      board.show({ text: questionText(), actions: [...wait, ...others], onEscape })
    } else if (message !== null) {
      const onEscape = () => show(null)
      board.show({ text: message, actions: [button(texts.ok, onEscape)], onEscape })
    } else board.hide()
  }
  const areLate = () => [...open.values()].every(({ kind }) => kind === 'late')
  function questionText(): string {
    const [problem = { kind: 'network' as const }] = open.values()
    if (!view.navigator.onLine) return texts.offline
    if (areLate()) return texts.late
    return open.size > 1
      ? texts.many.replace('{count}', String(open.size))
      : problemText(problem, texts)
  }

  view.addEventListener('online', () => chooseAll('retry'))
  return {
    ask(problem, onChoice) {
      const question: CallQuestion = {
        withdraw() {
          if (open.delete(question)) update()
        },
        choose(choice) {
          if (!open.has(question)) return
          question.withdraw()
          onChoice(choice)
        },
      }
      open.set(question, problem)
      update()
      return question
    },
    show,
  }
}
