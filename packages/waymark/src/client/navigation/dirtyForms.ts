import type { Field, TouchedFields } from './touchedFields.ts'

/** Knows what a person has typed or chosen. */
export type DirtyForms = {
  /** Whether leaving the document would lose something. */
  isDirty(): boolean
  /** The fields that it would lose. */
  changed(): readonly Field[]
}

/**
 * Follows the forms of a document. Fields of a GET form count too; those marked
 * `data-waymark-volatile`, as a search box, don't.
 * @param isSending whether a form waits for its action: what it holds is not there yet
 */
export function trackDirtyForms(
  document: Document,
  touched: TouchedFields,
  isSending: (form: EventTarget) => boolean,
): DirtyForms {
  const { before } = touched
  const forget = ({ target }: Event) => {
    for (const field of before.keys()) if (field.form === target) before.delete(field)
  }
  document.addEventListener('submit', (event) => {
    // Whether an action was called of it is known once everybody has heard of it.
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
  return field.checkVisibility() && !field.closest('[data-waymark-volatile]')
}
