import { setServerCallback } from '@vitejs/plugin-rsc/react/browser'
import { createSubmitTracker, type Submit } from './submits.ts'

/** A call of a server action, as a page makes it. */
export type ServerCall = {
  readonly id: string
  readonly args: readonly unknown[]
  /** What it was made by; `null` for a call that code made by itself. */
  readonly submit: Submit | null
}

/** The calls that are under way. */
export type PendingCalls = {
  isBusy(): boolean
  isSending(form: EventTarget): boolean
}

/**
 * Takes the calls of server actions. A form that is submitted again, unchanged, while its call is
 * under way calls nothing: a double click runs once.
 * @param answer gives a call's result
 */
export function listenForCalls(answer: (call: ServerCall) => Promise<unknown>): PendingCalls {
  const submits = createSubmitTracker(submittedNow)
  let pending = 0

  const onSubmit = (event: SubmitEvent) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || submits.note(form, submitter)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // The window hears of it before React does.
  addEventListener('submit', onSubmit, { capture: true })
  setServerCallback(async (id, args) => {
    const submit = submits.begin(args)
    pending++
    try {
      return await answer({ id, args, submit })
    } finally {
      pending--
      if (submit) submits.end(submit)
    }
  })
  return { isBusy: () => pending > 0, isSending: submits.isSending }
}

function submittedNow(): EventTarget | null {
  const { event } = window
  return event?.type === 'submit' ? event.target : null
}
