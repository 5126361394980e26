export function parseSearchParams(search: string): Record<string, string | string[]> {
  return search === '' ? {} : groupByName(new URLSearchParams(search))
}

/** Groups a query's or form's values by name. A repeated name gets a list. */
export function groupByName<Value extends FormDataEntryValue>(
  pairs: Iterable<[name: string, value: Value]>,
): Record<string, Value | Value[]> {
  // A client may send the name `__proto__`, so use an object without a prototype.
  const values: Record<string, Value | Value[]> = Object.create(null)
  for (const [name, value] of pairs) {
    const existing = values[name]
    if (existing === undefined) values[name] = value
    else if (Array.isArray(existing)) existing.push(value)
    else values[name] = [existing, value]
  }
  return { ...values }
}

export function searchParamsIssues(issues: readonly StandardIssue[]): string {
  return issues.map(({ message, path = [] }) => `${keysOf(path)}${message}`).join('\n')
}

function keysOf(path: NonNullable<StandardIssue['path']>): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return keys.length > 0 ? `${keys.join('.')}: ` : ''
}

/**
 * Common interface of validation libraries.
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
