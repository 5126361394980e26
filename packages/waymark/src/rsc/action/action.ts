import { actionField } from '../../react/actionFields.ts'
import {
  groupByName,
  isStandardSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardIssue,
  type StandardSchema,
} from '../../routing/searchParams.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { checkOption } from '../../shared/errors.ts'
import { type ActionLimits, checkActionLimits } from '../../shared/settings.ts'
import type { InvalidInput } from '../../wire/actionResponse.ts'
import { actionHeader } from '../../wire/protocol.ts'
import { currentScope } from '../request/scope.ts'
import {
  checkFileRules,
  checkFiles,
  type FileRule,
  type FileRules,
  isNoFile,
  maxBytesOfFiles,
} from './fileRules.ts'
import { safeFileName } from './fileTypes.ts'

/** Options of `action()`. `maxBytes` is in bytes, and `timeoutMs` is in milliseconds. */
export type ActionOptions<Schema extends StandardSchema | undefined> = Partial<ActionLimits> & {
  /** A schema from any library that implements Standard Schema, such as zod, valibot or arktype. */
  readonly input?: Schema
  /**
   * Rules for files, keyed by the name of the field. The function gets only files that match, with a type that was
   * read from their content.
   */
  readonly files?: FileRules
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
 * @param options `maxBytes` (bytes) and `timeoutMs` (milliseconds) override the app's limits. With
 *   `files`, the default of `maxBytes` is the app's limit plus the size of all allowed files.
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
  const { input: schema, maxBytes, timeoutMs, files } = options
  checkActionLimits(options)
  if (files) checkFileRules(files)
  const rule =
    'it must be a schema with the Standard Schema interface, such as from zod 3.24 or valibot 1'
  checkOption(schema === undefined || isStandardSchema(schema), 'input', typeof schema, rule)
  async function validated(...args: unknown[]): Promise<Result | InvalidInput> {
    const { actionTimeLimit, context } = currentScope('action()')
    const { locale } = context
    const sent = args.at(-1)
    const { input, fileErrors } = files
      ? await withCheckedFiles(sent, files, locale)
      : noFileRules(sent)
    const formData = input instanceof FormData ? input : null
    const plain = formData ? withFileLists(formValues(formData), files) : input
    const result = schema ? await schema['~standard'].validate(plain) : { value: plain }
    if (result.issues || fileErrors.size > 0) {
      const fields = sent instanceof FormData ? sent : null
      const invalid = invalidInput(result.issues ?? [], fileErrors, fields)
      // With scripts, the form isn't loaded again and keeps its files.
      const isCall = context.sentHeaders.has(actionHeader)
      return isCall || !fields ? invalid : withFileNames(invalid, fields)
    }
    return run(result.value as InputOf<Schema>, {
      signal: (actionTimeLimit ?? new AbortController()).signal,
      formData,
      leading: args.slice(0, -1),
    })
  }
  limitsOfActions.set(validated, {
    ...(maxBytes && { maxBytes }),
    ...(timeoutMs && { timeoutMs }),
    ...(files && { files }),
  })
  // React's type for a form's action has no result, so cast. A form ignores the result.
  return validated as ValidatedAction<InputArgOf<Schema>, Result>
}

type FileErrors = ReadonlyMap<string, readonly string[]>

type CheckedInput = { readonly input: unknown; readonly fileErrors: FileErrors }

const noErrors: FileErrors = new Map()

const noFileRules = (input: unknown): CheckedInput => ({ input, fileErrors: noErrors })

/**
 * Replaces the files of fields that have a rule with the accepted files. The input may also be an object, because a
 * client can send the fields as an object to get around the rules.
 */
async function withCheckedFiles(
  sent: unknown,
  rules: FileRules,
  localeOf: () => ScreenLocale,
): Promise<CheckedInput> {
  const fileErrors = new Map<string, readonly string[]>()
  const accept = async (field: string, rule: FileRule, values: readonly unknown[]) => {
    const { accepted, errors } = await checkFiles(values, rule, localeOf)
    if (errors.length > 0) fileErrors.set(field, errors)
    return accepted
  }
  if (sent instanceof FormData) {
    const fields = new FormData()
    for (const [name, value] of sent) if (!Object.hasOwn(rules, name)) fields.append(name, value)
    for (const [name, rule] of Object.entries(rules)) {
      for (const file of await accept(name, rule, sent.getAll(name))) fields.append(name, file)
    }
    return { input: fields, fileErrors }
  }
  // Ignore any other value, such as a Map or a promise, in which files would not be found.
  const values: Record<string, unknown> = isRecord(sent) ? { ...sent } : {}
  for (const [name, rule] of Object.entries(rules)) {
    const accepted = await accept(name, rule, [values[name]].flat())
    if (rule.maxFiles !== undefined) values[name] = accepted
    else if (accepted[0]) values[name] = accepted[0]
    else delete values[name]
  }
  return { input: values, fileErrors }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Makes the value of each field with `maxFiles` an array, even for one file or none. */
function withFileLists(values: FormValues, rules: FileRules | undefined): FormValues {
  for (const [name, { maxFiles }] of Object.entries(rules ?? {})) {
    if (maxFiles !== undefined) values[name] = [values[name] ?? []].flat()
  }
  return values
}

export type ActionFunction = (...args: unknown[]) => unknown

export type LimitsOfAction = ActionLimits & { readonly files?: FileRules }

const limitsOfActions = new WeakMap<object, Partial<LimitsOfAction>>()

export function limitsOf(run: ActionFunction, app: ActionLimits): LimitsOfAction {
  const { maxBytes, timeoutMs } = app
  const limits = limitsOfActions.get(run)
  const withFiles = limits?.files ? maxBytes + maxBytesOfFiles(limits.files) : maxBytes
  return { maxBytes: withFiles, timeoutMs, ...limits }
}

// Objects that `action()` created because its schema refused the input.
const refusedBySchema = new WeakSet<object>()

/** True if `action()` created the object, so that the action itself didn't run. */
export function isRefusedBySchema(value: InvalidInput): boolean {
  return refusedBySchema.has(value)
}

/** True for an `InvalidInput`, from `action()` or from the action itself. */
export function isInvalidInput(value: unknown): value is InvalidInput {
  return (
    isRecord(value) &&
    value.isInvalid === true &&
    Array.isArray(value.formErrors) &&
    isRecord(value.fieldErrors) &&
    isRecord(value.values)
  )
}

function invalidInput(
  issues: readonly StandardIssue[],
  fileErrors: FileErrors,
  fields: FormData | null,
): InvalidInput {
  const formErrors: string[] = []
  const fieldErrors = new Map([...fileErrors].map(([field, errors]) => [field, [...errors]]))
  for (const { message, path } of issues) {
    const field = (path ?? []).map(keyText).join('.')
    // The schema only says that the refused file is missing.
    if (fileErrors.has(field)) continue
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
  refusedBySchema.add(invalid)
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
    if (Array.isArray(value)) {
      const texts = value.filter((each) => typeof each === 'string')
      if (texts.length > 0) values[name] = texts
    } else if (typeof value === 'string') values[name] = value
  }
  return values
}

function withFileNames(invalid: InvalidInput, fields: FormData): InvalidInput {
  const names = new Map<string, string[]>()
  for (const [field, value] of fields) {
    if (typeof value === 'string' || isNoFile(value)) continue
    const others = names.get(field)
    const name = safeFileName(value.name, null)
    if (others) others.push(name)
    else names.set(field, [name])
  }
  if (names.size === 0) return invalid
  const named: InvalidInput = { ...invalid, files: Object.fromEntries(names) }
  refusedBySchema.add(named)
  return named
}

const secretName = /passw|passphrase|secret|token|cvc|cvv|\bpin\b/i
