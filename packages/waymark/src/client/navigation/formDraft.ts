import { volatileAttribute } from '../../components/linkAttributes.ts'
import {
  type DraftValue,
  draftKey,
  draftValue,
  type Field,
  type TouchedFields,
} from './formFields.ts'

type Draft = {
  readonly pathname: string
  readonly fields: readonly (readonly [key: string, value: DraftValue])[]
}

/** Saves the typed text for the next document, without passwords and files. */
export function saveDraft(view: Window, changed: readonly Field[]): void {
  const fields = [...storableFields(view.document, changed)].map(
    ([key, field]) => [key, draftValue(field)] as const,
  )
  if (fields.length === 0) return
  const draft: Draft = { pathname: view.location.pathname, fields }
  view.sessionStorage.setItem(draftKey, JSON.stringify(draft))
}

export function consumeDraft({ sessionStorage, location }: Window): Draft['fields'] {
  try {
    const text = sessionStorage.getItem(draftKey)
    sessionStorage.removeItem(draftKey)
    const draft: Draft = JSON.parse(text ?? '')
    return draft.pathname === location.pathname ? draft.fields : []
  } catch {
    // The storage is blocked or contains no draft.
    return []
  }
}

/** Returns the fields among `changed` whose text may be stored, under the keys of `fieldsByKey`. */
export function storableFields(document: Document, changed: readonly Field[]): Map<string, Field> {
  const isIt = ([, field]: [string, Field]) => changed.includes(field) && isStorable(field)
  return new Map([...fieldsByKey(document)].filter(isIt))
}

/**
 * Finds the visible fields of a document. A key is JSON of three values: the form's name or index, the
 * field's name, and the field's index among fields with this name. A field has the same key in the
 * next document of the same page.
 */
export function fieldsByKey(document: Document): Map<string, Field> {
  const forms = [...document.forms].filter((form) => form.checkVisibility())
  const fields = new Map<string, Field>()
  for (const field of document.querySelectorAll<Field>('input, textarea, select')) {
    const { form } = field
    const name = field.name || field.id
    if (name === '' || !field.checkVisibility()) continue
    // Read the attributes, because `form.id` and `form.name` would return fields named `id` and `name`.
    const formName = form && (form.getAttribute('id') ?? form.getAttribute('name'))
    const owner = form && (formName ?? forms.indexOf(form))
    let nth = 0
    while (fields.has(JSON.stringify([owner, name, nth]))) nth++
    fields.set(JSON.stringify([owner, name, nth]), field)
  }
  return fields
}

/**
 * False for fields whose value must not be stored, because the next user of this browser could see
 * it: passwords, files, hidden fields, card numbers and one-time codes.
 */
export function isStorable({ type, autocomplete }: Field): boolean {
  return (
    !/^(password|file|hidden)$/.test(type) &&
    !/\b(cc-|one-time-code|\w*-?password)/.test(autocomplete)
  )
}

/**
 * Tracks which fields of a document the user has changed. Ignores fields that are marked as
 * volatile, such as a search box.
 */
export function trackDirtyForms(
  document: Document,
  touched: TouchedFields,
  isSending: (form: EventTarget) => boolean,
): { isDirty(): boolean; changed(): readonly Field[] } {
  const { before } = touched
  const forget = ({ target }: Event) => {
    for (const field of before.keys()) if (field.form === target) before.delete(field)
  }
  document.addEventListener('submit', (event) => {
    // Wait for all other listeners, because one of them calls the form's action.
    setTimeout(() => event.target && !isSending(event.target) && forget(event))
  })
  // Forget changes on a reset, because React resets a form after the form's action has succeeded.
  document.addEventListener('reset', forget)

  function changed(): readonly Field[] {
    for (const field of before.keys()) if (!field.isConnected) before.delete(field)
    return touched.changed().filter((field) => counts(field, before.has(field)))
  }
  return { changed, isDirty: () => changed().length > 0 }
}

/**
 * True if a changed field counts as unsaved input.
 * @param isTouched true if the user has focused the field, which then counts even on a hidden previous page
 */
function counts(field: Field, isTouched: boolean): boolean {
  if (field.disabled || /^(hidden|submit|button|image|reset)$/.test(field.type)) return false
  return (isTouched || field.checkVisibility()) && !field.closest(`[${volatileAttribute}]`)
}
