type Field = HTMLInputElement | HTMLTextAreaElement

/** Watches what is typed. @returns tells whether another document would lose some of it */
export function watchTyping(document: Document): () => boolean {
  // React keeps a controlled field's default equal to its value.
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
