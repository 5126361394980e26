import { setServerCallback } from '@vitejs/plugin-rsc/react/browser'
import { repeatAttribute } from '../../components/linkAttributes.ts'
import { hasThrown } from '../hooks/hasThrown.ts'
import { markPending } from '../navigation/links.ts'
import type { Page } from '../navigation/page.ts'

/** A call to a server action, before its arguments are encoded. */
export type ServerCall = {
  /** Id of the action. */
  readonly id: string
  readonly args: readonly unknown[]
  /** `null` for a call that isn't the submission of a form. */
  readonly submit: Submit | null
  /** Page on which the call was made. The user may have left it by the time the call is sent. */
  readonly page: Page
}

/** A form submission that leads to calls. */
export type Submit = {
  readonly form: HTMLFormElement
  readonly submitter: HTMLElement | null
  /** The fields as a string, for comparing submissions. */
  readonly content: string
  readonly page: Page
  /** Called when the same content is submitted again while this submission is running. */
  onResubmit: () => void
  /** Number of running calls. */
  calls: number
}

export type PendingCalls = {
  isBusy(): boolean
  isSending(form: EventTarget): boolean
}

type LoadRunner = () => Promise<{ callServer(call: ServerCall): Promise<unknown> }>

/**
 * Handles the calls to server actions. If a form is submitted again with the same fields while its call
 * is running, nothing is sent, so that a double click runs the action once.
 */
export function listenForCalls(loadRunner: LoadRunner, currentPage: () => Page): PendingCalls {
  const submits = createSubmits()
  let pending = 0

  const onSubmit = (event: SubmitEvent) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement)) return
    const content = callContent(new FormData(form, submitter))
    const same = submits.find((each) => each.form === form && each.content === content)
    if (!same || form.hasAttribute(repeatAttribute)) {
      submits.add({ form, submitter, content, page: currentPage(), onResubmit() {}, calls: 0 })
      return
    }
    same.onResubmit()
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // Listen on the window, which gets the `submit` event before React does.
  addEventListener('submit', onSubmit, { capture: true })
  setServerCallback(async (id, args) => {
    const submit = submits.begin(args)
    const unmark = markPending(submit ? (submit.submitter ?? submit.form) : clicked())
    pending++
    try {
      const page = submit?.page ?? currentPage()
      return await runCall(loadRunner, { id, args, submit, page })
    } finally {
      pending--
      unmark()
      if (submit) submits.end(submit)
    }
  })
  return { isBusy: () => pending > 0, isSending: submits.isSending }
}

const controls = 'button,a,input,select,[role=button],[role=menuitem]'

function clicked(): Element | null {
  const { event } = window
  const isPress = event && /^c|^key/.test(event.type)
  return isPress && event.target instanceof Element ? event.target.closest(controls) : null
}

const retryMs = 2000

/** Runs a call. If the code that sends calls can't be loaded, the call waits until it can. */
async function runCall(loadRunner: LoadRunner, call: ServerCall): Promise<unknown> {
  for (;;) {
    const runner = await loadRunner().catch((error: unknown) => {
      // Retry only network errors. If a package's module threw, it would throw again.
      if (import.meta.env.WAYMARK_HAS_HOOKS && hasThrown(error)) throw error
      return null
    })
    if (runner) return runner.callServer(call)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

function createSubmits() {
  const submits = new Set<Submit>()
  const submitsByData = new WeakMap<FormData, Submit>()

  const find = (isIt: (submit: Submit) => boolean) => [...submits].findLast(isIt)
  const isSending = (form: EventTarget) =>
    [...submits].some((submit) => submit.calls > 0 && submit.form === form)

  // Keep the submissions of a form until none of its calls is running. React runs the calls of a
  // `useActionState` one after another, so the call of a submission may still come.
  function dropIdle(): void {
    for (const submit of submits) if (!isSending(submit.form)) submits.delete(submit)
  }

  function submitOf(args: readonly unknown[]): Submit | undefined {
    // While a submit event is being handled, `window.event` identifies the form.
    const { event } = window
    const now = event?.type === 'submit' && find(({ form }) => form === event.target)
    if (now) return now
    const data = args.find((arg) => arg instanceof FormData)
    if (!data) return undefined
    const content = callContent(data)
    return submitsByData.get(data) ?? find((each) => each.content === content)
  }

  return {
    find,
    isSending,
    add(submit: Submit): void {
      submits.add(submit)
      setTimeout(dropIdle)
    },
    begin(args: readonly unknown[]): Submit | null {
      const submit = submitOf(args)
      if (!submit) return null
      for (const arg of args) if (arg instanceof FormData) submitsByData.set(arg, submit)
      submits.add(submit)
      submit.calls++
      return submit
    },
    end(submit: Submit): void {
      if (--submit.calls > 0) return
      submits.delete(submit)
      setTimeout(dropIdle)
    },
  }
}

export function callContent(data: FormData): string {
  return JSON.stringify([...data].map(([name, value]) => [name, textOf(value)]))
}

// Compare files by name, size and date, because reading their contents would take too long. Ignore
// the date of an empty file input, which is just the time at which the `FormData` was created.
function textOf(value: FormDataEntryValue): unknown {
  if (typeof value === 'string') return value
  return value.size ? [value.name, value.size, value.lastModified] : value.name
}
