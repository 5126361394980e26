/** The fields of a form by name; a name that is there more than once has all of its values. */
export type FormValues = Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * Makes an object of a form's fields, for a schema to look at. React's own fields are left out, and
 * so is a file field in which none was chosen.
 */
export function formValues(fields: FormData): FormValues {
  // Without a prototype: a field may have any name.
  const values: FormValues = Object.create(null)
  for (const [name, value] of fields) {
    if (name.startsWith('$ACTION_') || isNoFile(value)) continue
    const known = values[name]
    if (known === undefined) values[name] = value
    else if (Array.isArray(known)) known.push(value)
    else values[name] = [known, value]
  }
  return { ...values }
}

/**
 * What of a form may be shown in it again: its texts, without those of password fields, as far as
 * their names tell.
 */
export function echoedValues(fields: FormData): Record<string, string | string[]> {
  const shown: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(formValues(fields))) {
    if (secretName.test(name)) continue
    if (Array.isArray(value)) shown[name] = value.filter((each) => typeof each === 'string')
    else if (typeof value === 'string') shown[name] = value
  }
  return shown
}

const secretName = /passw|passphrase|secret|token|cvc|cvv|\bpin\b/i

// HTML §4.10.21.4: what a browser sends of a file field without a file.
function isNoFile(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' && value.size === 0 && value.name === ''
}
