import { wrapAction } from '../../react/client/elements.ts'
import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { Field } from '../navigation/formFields.ts'
import { ActionError } from './actionError.ts'
import { resubmit } from './callForm.ts'
import { type CallNotice, type CallProblem, type CallQuestion, refusalTexts } from './callNotice.ts'
import { callContent } from './calls.ts'
import { restoreRemounted } from './restoreInput.ts'

type Options = {
  readonly view: Window
  readonly notice: CallNotice
  readonly texts: ActionTexts
  /** The forms whose next reset is prevented. */
  readonly preserved: Set<HTMLFormElement>
  /** The fields that the user has changed. */
  readonly changed: () => readonly Field[]
}

/**
 * Cares for calls that did not arrive and whose error the app does not catch. React would show an
 * error screen in place of the form: here, a notice offers to send the call again, and what was
 * entered stays.
 * @returns prepares an error for the boundary that may get it
 */
export function catchUncaughtCalls(options: Options): (error: ActionError) => ActionError {
  catchInForms(options)
  options.view.addEventListener('unhandledrejection', (event) => {
    if (!isForNotice(event.reason)) return
    event.preventDefault()
    ask(options, event.reason, event.reason.retry)
  })
  return (error) => {
    if (isForNotice(error)) error.onUncaught = createOnUncaught(options, error)
    return error
  }
}

/** The function of a form, with its state and that of the components around it: nothing is lost. */
function catchInForms(options: Options): void {
  const { view, preserved } = options
  const questions = new WeakMap<HTMLFormElement, CallQuestion>()
  const onSubmit = ({ target: form, submitter }: SubmitEvent) => {
    if (!(form instanceof HTMLFormElement)) return
    questions.get(form)?.withdraw()
    const content = callContent(new FormData(form, submitter))
    const onError = (error: unknown) => {
      if (!isForNotice(error)) throw error
      preserved.add(form)
      const again = () => resubmit({ form, submitter, content }) || error.retry()
      const question = ask(options, error, again)
      if (question) questions.set(form, question)
    }
    wrapAction(form, submitter, (action) => (fields) => {
      const result = action(fields)
      return result instanceof Promise ? result.catch(onError) : result
    })
  }
  view.addEventListener('submit', onSubmit, { capture: true })
}

/** React calls `onUncaught` several times for one error. After this many, the app's screen shows. */
const maxCatches = 10

/** A boundary mounts its part of the page again: what was entered is put back into its fields. */
function createOnUncaught(options: Options, error: ActionError): () => boolean {
  let catches = 0
  return () => {
    if (catches++ === 0) {
      const reset = restoreRemounted(options.view.document, options.changed())
      const again = (): Promise<void> =>
        error.retry().then(reset, (next: unknown) => {
          if (!isForNotice(next)) throw next
          ask(options, next, again)
        })
      // React is rendering.
      setTimeout(() => ask(options, error, again))
    }
    return catches <= maxCatches
  }
}

/** False for an error of an action that ran: the app shows it. */
function isForNotice(error: unknown): error is ActionError {
  return error instanceof ActionError && error.type !== 'failed'
}

const network: CallProblem = { kind: 'network' }

/** @returns `null` where the server has refused the call, and there is nothing to ask */
function ask(
  { notice, texts }: Options,
  { code, status }: ActionError,
  again: () => unknown,
): CallQuestion | null {
  if (Object.hasOwn(refusalTexts, code)) {
    notice.show(texts[refusalTexts[code as keyof typeof refusalTexts]])
    return null
  }
  const problem = status === null ? network : { kind: 'refused' as const, status }
  return notice.ask(problem, (choice) => choice === 'retry' && void again())
}
