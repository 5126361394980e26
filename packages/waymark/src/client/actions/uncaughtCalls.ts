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
  /** Returns the fields that the user has changed. */
  readonly changed: () => readonly Field[]
}

/**
 * Handles calls that didn't reach the server if the app doesn't catch their error. Without this,
 * React would show an error screen instead of the form. A notice offers to send the call again, and
 * the user's input stays.
 * @returns a function that prepares an error for the error boundary that may catch it
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

/**
 * Catches errors of form actions before React does, so that the components around the form keep their
 * state.
 */
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

/**
 * Maximum number of calls to `onUncaught` for one error, after which the app's error screen is
 * shown. React calls it several times for each error.
 */
const maxCatches = 10

/**
 * Creates the function that handles an uncaught error. The error boundary mounts its part of the
 * page again, so the function puts the user's input back into the fields.
 */
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
      // Ask in a separate task, because React is rendering during this call.
      setTimeout(() => ask(options, error, again))
    }
    return catches <= maxCatches
  }
}

/**
 * True if a notice can handle the error. An action that ran and failed is up to the app's error
 * screens.
 */
function isForNotice(error: unknown): error is ActionError {
  return error instanceof ActionError && error.type !== 'failed'
}

const network: CallProblem = { kind: 'network' }

/**
 * Asks the user whether to send the call again. @returns `null` if the server has refused the call,
 * because then there is nothing to choose
 */
function ask(
  { notice, texts }: Options,
  { code, status }: ActionError,
  again: () => unknown,
): CallQuestion | null {
  // The user has cancelled the call, so there is nothing to ask.
  if (code === 'cancelled') return null
  if (Object.hasOwn(refusalTexts, code)) {
    notice.show(texts[refusalTexts[code as keyof typeof refusalTexts]])
    return null
  }
  const problem = status === null ? network : { kind: 'refused' as const, status }
  return notice.ask(problem, (choice) => choice === 'retry' && void again())
}
