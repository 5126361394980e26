type Field = HTMLInputElement | HTMLTextAreaElement

/** Watches what is typed. @returns a function that is true if loading another document would lose text */
export function watchTyping(document: Document): () => boolean {
  // React sets a controlled field's default to its value, so comparing the two isn't enough.
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
