import { keepFieldsAttribute } from '../../components/linkAttributes.ts'
import { actionOf } from '../../react/client/elements.ts'
import { isServerReference } from './callEncoding.ts'
import { callContent, type ServerCall, type Submit } from './calls.ts'

/**
 * Returns the result that leaves a form unchanged. With `useActionState`, that is the current
 * state. Any other form action may return `undefined`, because React ignores its result.
 * @returns `null` if the app's code awaits the call, because the app would mistake an unchanged
 * state for success
 */
export async function unchangedState({
  args,
  submit,
}: ServerCall): Promise<{ readonly value: unknown } | null> {
  if (!submit || !(args.at(-1) instanceof FormData)) return null
  if (await isServerReference(actionOf(submit.form, submit.submitter))) return { value: undefined }
  return args.length > 1 ? { value: args.at(-2) } : null
}

/** Submits a call's form again. @returns false if the form was removed or changed */
export function resubmit({
  form,
  submitter,
  content,
}: Pick<Submit, 'form' | 'submitter' | 'content'>): boolean {
  if (!form.isConnected || !form.checkVisibility()) return false
  try {
    if (callContent(new FormData(form, submitter)) !== content) return false
    form.requestSubmit(submitter)
    return true
  } catch {
    return false
  }
}

/**
 * Creates a set of forms that React must not reset. React resets each form after its action; the
 * next reset of each form in the set is prevented.
 */
export function createPreservedForms(view: Window): Set<HTMLFormElement> {
  const preserved = new Set<HTMLFormElement>()
  let resetByUser: HTMLFormElement | null = null

  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && target.closest<HTMLButtonElement>(resetButton)
    if (!button) return
    resetByUser = button.form
    setTimeout(() => {
      resetByUser = null
    })
  }
  const onReset = (event: Event) => {
    const { target: form } = event
    if (!(form instanceof HTMLFormElement) || form === resetByUser) return
    if (!preserved.delete(form) && !form.hasAttribute(keepFieldsAttribute)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  view.addEventListener('click', onClick, { capture: true })
  view.addEventListener('reset', onReset, { capture: true })
  return preserved
}

const resetButton = 'button[type=reset], input[type=reset]'
