type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Watches the page's form fields for typed text. @returns a function that is true if loading another
 * document would lose text
 */
export function watchTyping(document: Document): () => boolean {
  // Comparing a field's value with its default isn't enough, because React keeps them equal in
  // controlled fields.
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
