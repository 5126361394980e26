/** Parses a query: a list where a name occurs more than once. */
export function parseSearchParams(search: string): Record<string, string | string[]> {
  const params: Record<string, string | string[]> = {}
  if (search === '') return params
  const valuesByName = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const values = valuesByName.get(name)
    if (values) values.push(value)
    else valuesByName.set(name, [value])
  }
  for (const [name, values] of valuesByName) {
    // Defined, because assigning `__proto__` would change the prototype.
    Object.defineProperty(params, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return params
}

export function searchParamsIssues(issues: readonly StandardIssue[]): string {
  return issues.map(({ message, path = [] }) => `${keysOf(path)}${message}`).join('\n')
}

function keysOf(path: NonNullable<StandardIssue['path']>): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return keys.length > 0 ? `${keys.join('.')}: ` : ''
}

/**
 * Standard Schema 1, the common interface of validation libraries.
 * @see https://standardschema.dev
 */
export type StandardSchema<Input = unknown, Output = Input> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export type StandardIssue = {
  readonly message: string
  /** Keys from the outside in, plain or in objects. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type SchemaInput<Schema> =
  Schema extends StandardSchema<infer Input, unknown> ? Input : never

export type SchemaOutput<Schema> =
  Schema extends StandardSchema<unknown, infer Output> ? Output : never

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  const standard = (value as { '~standard'?: unknown })['~standard']
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  )
}
