/**
 * Tells whether a person has typed or chosen something that leaving the document would lose.
 * Fields of a GET form count too; those marked `data-waymark-volatile`, as a search box, don't.
 */
export function hasDirtyForm(document: Document): boolean {
  const fields = document.querySelectorAll<Field>('input, textarea, select')
  return [...fields].some((field) => !field.closest('[data-waymark-volatile]') && isDirty(field))
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function isDirty(field: Field): boolean {
  if (field.disabled || field.type === 'hidden') return false
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    return options.some((option) => option.defaultSelected)
      ? options.some((option) => option.selected !== option.defaultSelected)
      : field.selectedIndex > 0
  }
  if (field.type === 'checkbox' || field.type === 'radio') {
    return (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked
  }
  return field.value !== field.defaultValue
}
