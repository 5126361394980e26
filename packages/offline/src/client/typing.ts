type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Watches form fields for typed text. @returns a function that is true if a new document would
 * discard text
 */
export function watchTyping(document: Document): () => boolean {
  // React keeps the value and the default of a controlled field equal, so comparing them isn't
  // enough.
  const typed = new Set<Field>()
  document.addEventListener('input', ({ target }) => typed.add(target as Field), { capture: true })
  return () => {
    const fields = [...document.querySelectorAll<Field>('input, textarea')]
    return fields.some((field) => field.value !== field.defaultValue || isLost(field, typed))
  }
}

function isLost(field: Field, typed: ReadonlySet<Field>): boolean {
  return typed.has(field) && field.value !== ''
}
