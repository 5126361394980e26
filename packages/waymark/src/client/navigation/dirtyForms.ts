import { volatileAttribute } from '../../shared/linkAttributes.ts'
import type { Field, TouchedFields } from './formFields.ts'

/** Tracks the fields of a document, except those marked as volatile, as a search box. */
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
    // Whether it has called an action is known after all listeners.
    setTimeout(() => event.target && !isSending(event.target) && forget(event))
  })
  // React resets the form of an action that has succeeded.
  document.addEventListener('reset', forget)

  function changed(): readonly Field[] {
    for (const field of before.keys()) if (!field.isConnected) before.delete(field)
    return touched.changed().filter(counts)
  }
  return { changed, isDirty: () => changed().length > 0 }
}

function counts(field: Field): boolean {
  if (field.disabled || /^(hidden|submit|button|image|reset)$/.test(field.type)) return false
  return field.checkVisibility() && !field.closest(`[${volatileAttribute}]`)
}
