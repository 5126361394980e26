import { draftValue, fieldsByKey, isStorable, type ServerCall } from 'waymark/plugin/client'
import type { CallDescription, EntryDraft, EntryField } from './entry.ts'
import type { QueuedOptions } from './queued.ts'

/**
 * Describes a call for users and for the app.
 * @returns `null` if the form contains a password, a card number or a code. Such calls aren't
 * stored
 */
export function describeCall(
  { args, submit }: Pick<ServerCall, 'args' | 'submit'>,
  { name, label }: QueuedOptions,
): CallDescription | null {
  const form = submit?.form
  const data = args.findLast((arg) => arg instanceof FormData)
  if (!form) {
    const fields = data ? textsOf(data, () => true) : args.flatMap(textsOfArgument)
    return { name: name ?? null, label: label ?? name ?? '', fields, draft: null }
  }
  const controls = controlsOf(form)
  if (controls.some(isSecret)) return null
  // Hidden fields are only meant for the server.
  const visible = controls.filter((each) => isStorable(each) || each.type === 'file')
  const isVisible = (field: string) => visible.some(({ name }) => name === field)
  return {
    name: name ?? form.getAttribute('name'),
    label: label ?? labelOf(form, submit.submitter),
    fields: textsOf(data ?? new FormData(form, submit.submitter), isVisible),
    draft: draftOf(form),
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function controlsOf(form: HTMLFormElement): Control[] {
  // A field named "elements" hides `form.elements`. Fields outside of a form can belong to it, so
  // search the whole document.
  const all = form.ownerDocument.querySelectorAll<Control>('input, textarea, select')
  return [...all].filter((control) => control.form === form)
}

function isSecret(control: Control): boolean {
  return !isStorable(control) && !/^(file|hidden)$/.test(control.type)
}

function textsOf(data: FormData, isVisible: (name: string) => boolean): EntryField[] {
  return [...data].flatMap(([name, value]): EntryField[] => {
    const text = typeof value === 'string' ? value : value.name
    return isVisible(name) && text !== '' ? [[name, text]] : []
  })
}

/**
 * Returns an argument of a call without a form as fields, named after its object's keys or its
 * position.
 */
function textsOfArgument(argument: unknown, at: number): EntryField[] {
  if (typeof argument !== 'object' || argument === null) {
    return isText(argument) ? [[String(at), String(argument)]] : []
  }
  return Object.entries(argument).flatMap(([name, value]): EntryField[] =>
    isText(value) ? [[name, String(value)]] : [],
  )
}

function isText(value: unknown): boolean {
  return /^(string|number|boolean)$/.test(typeof value)
}

function labelOf(form: HTMLFormElement, submitter: HTMLElement | null): string {
  const document = form.ownerDocument
  const ids = form.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
  const labelledBy = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  const button = submitter ?? form.querySelector('button, input[type=submit]')
  const buttonText = button instanceof HTMLInputElement ? button.value : button?.textContent
  const texts = [
    form.getAttribute('aria-label'),
    labelledBy,
    form.querySelector('legend')?.textContent,
    form.getAttribute('name'),
    buttonText,
  ]
  return texts.map((text) => text?.trim()).find(Boolean) ?? ''
}

function draftOf(form: HTMLFormElement): EntryDraft | null {
  const formFields = [...fieldsByKey(form.ownerDocument)].filter(([, field]) => field.form === form)
  const [first] = formFields
  if (!first) return null
  const saved = formFields.filter(([, field]) => isStorable(field))
  return {
    form: formOfKey(first[0]),
    values: saved.map(([key, field]) => [key, draftValue(field)]),
  }
}

function formOfKey(key: string): string {
  return String((JSON.parse(key) as readonly unknown[])[0])
}
