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
export type StandardResult<Output> =
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
