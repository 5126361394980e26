import { draftKey, type Field } from '../navigation/formFields.ts'

/** A field's place in its document, and what was typed into it. */
export type DraftField = {
  /** The form's own name or id; else its place among the forms that are visible. */
  readonly form: string | number | null
  /** The field's name, or its id. */
  readonly name: string
  /** Its place among those of the same name. */
  readonly nth: number
  /** Text; whether a box is ticked; the options that are chosen. */
  readonly value: string | boolean | readonly string[]
}

/** Saves what was typed for the next document, without passwords and files. */
export function saveDraft(view: Window, fields: readonly Field[]): void {
  const typed = fields.filter(isSaved).flatMap((field) => describe(view.document, field) ?? [])
  if (typed.length === 0) return
  const text = JSON.stringify({ pathname: view.location.pathname, typed })
  view.sessionStorage.setItem(draftKey, text)
}

export function findField(document: Document, { form, name, nth }: DraftField): Field | null {
  const owner = form === null ? null : findForm(document, form)
  if (form !== null && owner === null) return null
  return fieldsNamed(document, owner, name)[nth] ?? null
}

export function draftValue(field: Field): DraftField['value'] {
  if (isCheckable(field)) return field.checked
  if (field instanceof HTMLSelectElement && field.multiple) {
    return [...field.selectedOptions].map(({ value }) => value)
  }
  return field.value
}

export function isCheckable(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

function isSaved(field: Field): boolean {
  const { type, autocomplete } = field
  // The next user of the same screen shall not read a card's number or a code, either.
  return (
    !/^(password|file|hidden)$/.test(type) &&
    !/\b(cc-|one-time-code|\w*-?password)/.test(autocomplete)
  )
}

function describe(document: Document, field: Field): DraftField | null {
  const name = field.name || field.id
  if (name === '') return null
  const nth = fieldsNamed(document, field.form, name).indexOf(field)
  const { form: owner } = field
  const form =
    owner && (namesOf(owner).find((own) => own !== null) ?? visibleForms(document).indexOf(owner))
  return nth === -1 ? null : { form, name, nth, value: draftValue(field) }
}

// Not `form.id` and `form.name`: fields of these names would hide them.
const namesOf = (form: HTMLFormElement) => [form.getAttribute('id'), form.getAttribute('name')]

function findForm(document: Document, form: string | number): HTMLFormElement | null {
  const forms = visibleForms(document)
  if (typeof form === 'number') return forms[form] ?? null
  return forms.find((each) => namesOf(each).includes(form)) ?? null
}

// Cached pages of the history are in the document, too, and hidden.
function visibleForms(document: Document): HTMLFormElement[] {
  return [...document.forms].filter((form) => form.checkVisibility())
}

function fieldsNamed(document: Document, form: HTMLFormElement | null, name: string): Field[] {
  const all = [...document.querySelectorAll<Field>('input, textarea, select')]
  const isNamed = (field: Field) => (field.name || field.id) === name
  return all.filter((field) => field.form === form && isNamed(field) && field.checkVisibility())
}
