import { actionField } from '../../react/actionFields.ts'
import {
  groupByName,
  isStandardSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardIssue,
  type StandardSchema,
} from '../../routing/searchParams.ts'
import { checkOption } from '../../shared/errors.ts'
import { type ActionLimits, checkActionLimits } from '../../shared/settings.ts'
import type { InvalidInput } from '../../wire/actionResponse.ts'
import { currentScope } from '../request/scope.ts'

/** Options of `action()`. `maxBytes` is in bytes, and `timeoutMs` is in milliseconds. */
export type ActionOptions<Schema extends StandardSchema | undefined> = Partial<ActionLimits> & {
  /** A schema from any library that implements Standard Schema, such as zod, valibot or arktype. */
  readonly input?: Schema
}

/** Second argument of an action's function, after the input. */
export type ActionContext = {
  /** Aborts once the action has exceeded its time limit. It doesn't abort when the client leaves. */
  readonly signal: AbortSignal
  /** The submitted fields; `null` if the caller passed a plain value. */
  readonly formData: FormData | null
  /** The arguments before the input: a previous state or bound values. They aren't validated. */
  readonly leading: readonly unknown[]
}

/** An action that validates its last argument, which is a plain value or `FormData`. */
export type ValidatedAction<Input, Result> = {
  (input: Input | FormData): Promise<Result | InvalidInput>
  /**
   * Signature for a form's `action`, for which React's type requires a function without a result.
   */
  (form: FormData): Promise<void>
  // Keep this signature last, because TypeScript infers types from the last one.
  (previous: unknown, input: Input | FormData): Promise<Result | InvalidInput>
}

type InputOf<Schema> = Schema extends StandardSchema ? SchemaOutput<Schema> : unknown
type InputArgOf<Schema> = Schema extends StandardSchema ? SchemaInput<Schema> : unknown

/**
 * Creates a server action that validates its input and has its own limits. Export it from a file
 * with `'use server'`. If the input is invalid, the caller gets an `InvalidInput`, and the status
 * is 422.
 * @param options `maxBytes` (bytes) and `timeoutMs` (milliseconds) override the app's limits
 * @throws `OPTION_VALUE`
 * @example
 * export const rename = action({ input: z.object({ name: z.string() }) }, async ({ name }) => {
 *   await db.rename(name)
 * })
 */
export function action<Schema extends StandardSchema | undefined = undefined, Result = unknown>(
  options: ActionOptions<Schema>,
  run: (input: InputOf<Schema>, context: ActionContext) => Result | Promise<Result>,
): ValidatedAction<InputArgOf<Schema>, Result> {
  const { input: schema, maxBytes, timeoutMs } = options
  checkActionLimits(options)
  const rule =
    'it must be a schema with the Standard Schema interface, such as from zod 3.24 or valibot 1'
  checkOption(schema === undefined || isStandardSchema(schema), 'input', typeof schema, rule)
  async function validated(...args: unknown[]): Promise<Result | InvalidInput> {
    const { actionTimeLimit } = currentScope('action()')
    const input = args.at(-1)
    const formData = input instanceof FormData ? input : null
    const plain = formData ? formValues(formData) : input
    const result = schema ? await schema['~standard'].validate(plain) : { value: plain }
    if (result.issues) return invalidInput(result.issues, formData)
    return run(result.value as InputOf<Schema>, {
      signal: (actionTimeLimit ?? new AbortController()).signal,
      formData,
      leading: args.slice(0, -1),
    })
  }
  limitsOfActions.set(validated, { ...(maxBytes && { maxBytes }), ...(timeoutMs && { timeoutMs }) })
  // React's type for a form's action has no result, so cast. A form ignores the result.
  return validated as ValidatedAction<InputArgOf<Schema>, Result>
}

export type ActionFunction = (...args: unknown[]) => unknown

const limitsOfActions = new WeakMap<object, Partial<ActionLimits>>()

export function limitsOf(run: ActionFunction, { maxBytes, timeoutMs }: ActionLimits): ActionLimits {
  return { maxBytes, timeoutMs, ...limitsOfActions.get(run) }
}

// Objects that `action()` returned for invalid input. They are recognized by identity, because an
// app may return an object of the same shape.
const invalidInputs = new WeakSet<object>()

/** True if `action()` created the object, false for an app's object of the same shape. */
export function isInvalidInput(value: unknown): value is InvalidInput {
  return typeof value === 'object' && value !== null && invalidInputs.has(value)
}

function invalidInput(issues: readonly StandardIssue[], fields: FormData | null): InvalidInput {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const { message, path } of issues) {
    const field = (path ?? []).map(keyText).join('.')
    const messages = field === '' ? formErrors : fieldErrors.get(field)
    if (messages) messages.push(message)
    else fieldErrors.set(field, [message])
  }
  const invalid: InvalidInput = {
    isInvalid: true,
    formErrors,
    fieldErrors: Object.fromEntries(fieldErrors),
    values: fields ? echoedValues(fields) : {},
  }
  invalidInputs.add(invalid)
  return invalid
}

function keyText(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}

export type FormValues = Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * Groups fields by name, without React's own fields and empty files. A repeated name gets an array.
 */
export function formValues(fields: FormData): FormValues {
  return groupByName(submittedFields(fields))
}

function* submittedFields(fields: FormData): Iterable<[string, FormDataEntryValue]> {
  for (const field of fields) {
    if (!field[0].startsWith(actionField) && !isNoFile(field[1])) yield field
  }
}

/** Returns the submitted strings that a form may show again. Omits fields whose names look secret. */
export function echoedValues(fields: FormData): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(formValues(fields))) {
    if (secretName.test(name)) continue
    if (Array.isArray(value)) values[name] = value.filter((each) => typeof each === 'string')
    else if (typeof value === 'string') values[name] = value
  }
  return values
}

const secretName = /passw|passphrase|secret|token|cvc|cvv|\bpin\b/i

// True for the empty file that browsers send if no file is selected. HTML §4.10.21.4
function isNoFile(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' && value.size === 0 && value.name === ''
}
