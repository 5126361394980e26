/** An argument of an action: a value without class instances, or the entries of a form. */
export type ActionArgument =
  | { readonly json: unknown }
  | { readonly form: readonly (readonly [name: string, value: string])[] }

/** Encodes arguments as React's `encodeReply` does, with a separate entry for each form. */
export function encodeArguments(args: readonly ActionArgument[]): string | FormData {
  const body = new FormData()
  let forms = 0
  const row = args.map((argument) => {
    if ('json' in argument) return escapeTexts(argument.json)
    forms++
    for (const [name, value] of argument.form) body.append(`_${forms}_${name}`, value)
    return `$K${forms.toString(16)}`
  })
  if (forms === 0) return JSON.stringify(row)
  body.append('0', JSON.stringify(row))
  return body
}

// Double a dollar sign at the beginning of a string, because React reads such a string as a reference.
function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, escapeTexts(each)])
  return Object.fromEntries(entries)
}
