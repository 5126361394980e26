import { setServerCallback } from '@vitejs/plugin-rsc/react/browser'

/** A call of a server action by a page. */
export type ServerCall = {
  readonly id: string
  readonly args: readonly unknown[]
  /** The submit that it comes from; `null` for a call that code makes by itself. */
  readonly submit: Submit | null
}

/** The calls under way. */
export type PendingCalls = {
  isBusy(): boolean
  isSending(form: EventTarget): boolean
}

/**
 * Handles the calls of server actions. A form that is submitted again, unchanged, while its call is
 * under way calls nothing: a double click runs once.
 * @param run gives a call's result
 */
export function listenForCalls(run: (call: ServerCall) => Promise<unknown>): PendingCalls {
  const submits = createSubmitTracker(submittedNow)
  let pending = 0

  const onSubmit = (event: SubmitEvent) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || submits.add(form, submitter)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // The window gets the event before React does.
  addEventListener('submit', onSubmit, { capture: true })
  setServerCallback(async (id, args) => {
    const submit = submits.begin(args)
    pending++
    try {
      return await run({ id, args, submit })
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

/** A form that was submitted. */
export type Submit = {
  readonly form: HTMLFormElement
  readonly submitter: HTMLElement | null
  /** Its fields as text, to be compared. */
  readonly content: string
  /** Called when the same is submitted again while this one is under way. */
  onResubmit: () => void
}

/** The submits that wait for their call, and those whose call is under way. */
type SubmitTracker = {
  /** @returns false for one that is under way already: it must not be made again */
  add(form: HTMLFormElement, submitter: HTMLElement | null): boolean
  /** @returns the submit that a call comes from; `null` for a call that code makes by itself */
  begin(args: readonly unknown[]): Submit | null
  end(submit: Submit): void
  isSending(form: EventTarget): boolean
}

/** On a form whose submits count each, however alike they are. */
const repeatAttribute = 'data-waymark-repeat'

/** Creates it for a document. @param currentForm the form whose submit event is being handled */
function createSubmitTracker(currentForm: () => EventTarget | null): SubmitTracker {
  const submits = new Set<Submit>()
  const called = new Map<Submit, number>()
  const submitsByData = new WeakMap<FormData, Submit>()

  // Most submits lead to no call. A call may come later: React lets the calls of one
  // `useActionState` wait for each other.
  function dropIdle(): void {
    const busy = new Set([...called.keys()].map(({ form }) => form))
    for (const submit of submits) if (!busy.has(submit.form)) submits.delete(submit)
  }

  function submitOf(args: readonly unknown[]): Submit | null {
    const waiting = [...submits].reverse()
    // Called while the event is being handled: the form is certain.
    const form = currentForm()
    const now = form && waiting.find((each) => each.form === form)
    const data = args.find((arg) => arg instanceof FormData)
    if (now || !data) return now ?? null
    const content = callContent(data)
    return submitsByData.get(data) ?? waiting.find((each) => each.content === content) ?? null
  }

  return {
    add(form, submitter) {
      const content = callContent(new FormData(form, submitter))
      const same = [...submits].find((each) => each.form === form && each.content === content)
      if (same && !form.hasAttribute(repeatAttribute)) {
        same.onResubmit()
        return false
      }
      submits.add({ form, submitter, content, onResubmit() {} })
      setTimeout(dropIdle)
      return true
    },
    begin(args) {
      const submit = submitOf(args)
      if (!submit) return null
      for (const arg of args) if (arg instanceof FormData) submitsByData.set(arg, submit)
      submits.add(submit)
      called.set(submit, (called.get(submit) ?? 0) + 1)
      return submit
    },
    end(submit) {
      const left = (called.get(submit) ?? 1) - 1
      if (left > 0) return void called.set(submit, left)
      called.delete(submit)
      submits.delete(submit)
      setTimeout(dropIdle)
    },
    isSending: (form) => [...called.keys()].some((submit) => submit.form === form),
  }
}

/** Writes the fields of a form as text that is equal only for equal fields. */
export function callContent(data: FormData): string {
  return JSON.stringify([...data].map(([name, value]) => [name, textOf(value)]))
}

// Of a file, reading it would take too long to tell a double click.
function textOf(value: FormDataEntryValue): unknown {
  if (typeof value === 'string') return value
  return [value.name, value.size, value.lastModified]
}
