/**
 * Reads the query of a URL as pages get it: a list where a name occurs more than once. The cost
 * grows with its length, whatever it repeats; `parseTarget` bounds length and pairs.
 * @param search with its question mark, or empty
 */
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
    // Defined, not assigned: a query may hold `__proto__`.
    Object.defineProperty(params, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return params
}

/** Writes what a schema finds wrong about a query, a line each. */
export function searchParamsIssues(issues: readonly StandardIssue[]): string {
  return issues.map(({ message, path = [] }) => `${keysOf(path)}${message}`).join('\n')
}

function keysOf(path: NonNullable<StandardIssue['path']>): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return keys.length > 0 ? `${keys.join('.')}: ` : ''
}

/**
 * Standard Schema, version 1: the interface by which validation libraries are used without
 * knowing them. @see https://standardschema.dev
 */
export type StandardSchema<Input = unknown, Output = Input> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** For the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** What a validation comes to. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that does not fit. */
export type StandardIssue = {
  readonly message: string
  /** Keys from the outside in; plain or in objects. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a schema takes. */
export type SchemaInput<Schema> =
  Schema extends StandardSchema<infer Input, unknown> ? Input : never

/** What a schema makes of it. */
export type SchemaOutput<Schema> =
  Schema extends StandardSchema<unknown, infer Output> ? Output : never

/** Tells whether a value is a schema; some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  const standard = (value as { '~standard'?: unknown })['~standard']
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  )
}
