/** Writes the fields of a form as text that is equal only for equal fields. */
export function callContent(data: FormData): string {
  return JSON.stringify([...data].map(([name, value]) => [name, textOf(value)]))
}

// Of a file, reading it would take too long to tell a double click.
function textOf(value: FormDataEntryValue): unknown {
  if (typeof value === 'string') return value
  return [value.name, value.size, value.lastModified]
}
