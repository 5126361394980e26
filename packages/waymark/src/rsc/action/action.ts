import type { InvalidInput } from '../../shared/actionResponse.ts'
import { frameworkError } from '../../shared/errors.ts'
import {
  isStandardSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardIssue,
  type StandardSchema,
} from '../../shared/searchParams.ts'
import { currentScope, type RunningAction } from '../request/scope.ts'
import { echoedValues, formValues } from './actionBody.ts'
import { type ActionLimits, markInvalidInput, setLimits } from './runAction.ts'

/** What an action takes, and what it may cost. */
export type ActionOptions<Schema extends StandardSchema | undefined> = Partial<ActionLimits> & {
  /** Any schema of the Standard Schema interface: of zod, valibot, arktype, … */
  readonly input?: Schema
  /**
   * Gives a key to each call: those of one key run one after another, in the order in which their
   * document made them. `null` for a call that waits for none. Calls are those of everybody: name
   * the person in the key where they shall wait for their own only.
   */
  readonly order?: (input: InputOf<Schema>, context: ActionContext) => string | number | null
}

/** What an action's function gets beside its input. */
export type ActionContext = {
  /** Aborts when the action's time is over. A client that leaves does not abort it. */
  readonly signal: AbortSignal
  /** The fields as they were sent, where the input came as a form. */
  readonly formData: FormData | null
  /** The arguments before the input, not validated: the state of `useActionState`, bound values. */
  readonly leading: readonly unknown[]
}

/**
 * An action with a validated input. What it takes is its last argument, as a value or as a form:
 * it can be called, given to `<form action>` and to `useActionState`.
 */
export type ValidatedAction<Input, Result> = {
  (input: Input | FormData): Promise<Result | InvalidInput>
  (previous: unknown, input: Input | FormData): Promise<Result | InvalidInput>
}

type InputOf<Schema> = Schema extends StandardSchema ? SchemaOutput<Schema> : unknown
type GivenOf<Schema> = Schema extends StandardSchema ? SchemaInput<Schema> : unknown

/**
 * Makes a server action that validates its input, and has limits of its own; to be exported from a
 * file with `'use server'`. An input that does not fit is answered with 422, and its caller gets
 * an `InvalidInput`: errors by field, for a form to show.
 * @param options `maxBytes` and `timeoutMs` in place of the app's; `order` keeps calls in line
 * @param run what it does; its result is the action's
 * @throws `ACTION_OPTION`
 */
export function action<Schema extends StandardSchema | undefined = undefined, Result = unknown>(
  options: ActionOptions<Schema>,
  run: (input: InputOf<Schema>, context: ActionContext) => Result | Promise<Result>,
): ValidatedAction<GivenOf<Schema>, Result> {
  const { input: schema, order, ...limits } = options
  assertOptions(options)
  async function validated(...args: unknown[]): Promise<Result | InvalidInput> {
    const running = currentScope('action()').action
    const context = new RunningContext(running, args)
    const { formData } = context
    const plain = formData ? formValues(formData) : args.at(-1)
    const result = schema ? await schema['~standard'].validate(plain) : { value: plain }
    if (result.issues) return invalidInput(result.issues, formData)
    const input = result.value as InputOf<Schema>
    const key = order && running?.inTurn ? order(input, context) : null
    if (key === null || !running?.inTurn) return run(input, context)
    return running.inTurn(String(key), async () => run(input, context))
  }
  setLimits(validated, { ...limits, isOrdered: order !== undefined })
  return validated
}

// A class, against the rule: the signal is made when it is asked for, and an object literal with a
// getter would cost each call a new shape.
class RunningContext implements ActionContext {
  readonly formData: FormData | null
  readonly leading: readonly unknown[]
  readonly #running: RunningAction | null

  constructor(running: RunningAction | null, args: readonly unknown[]) {
    const given = args.at(-1)
    this.formData = given instanceof FormData ? given : null
    this.leading = args.slice(0, -1)
    this.#running = running
  }

  get signal(): AbortSignal {
    return this.#running?.signal() ?? new AbortController().signal
  }
}

type GivenOptions = Partial<ActionLimits> & Partial<Record<'input' | 'order', unknown>>

function assertOptions(options: GivenOptions): void {
  const { input, order, maxBytes = 1, timeoutMs = 1 } = options
  if (input !== undefined && !isStandardSchema(input)) {
    const rule = 'it is a schema with the Standard Schema interface, as of zod 3.24 or valibot 1'
    throw frameworkError('ACTION_OPTION', { option: 'input', value: typeof input, rule })
  }
  if (order !== undefined && typeof order !== 'function') {
    const rule = 'it is a function from the input to a key'
    throw frameworkError('ACTION_OPTION', { option: 'order', value: typeof order, rule })
  }
  for (const [option, value] of Object.entries({ maxBytes, timeoutMs })) {
    if (Number.isInteger(value) && value > 0 && value < 2 ** 31) continue
    const rule = 'it is a whole number above 0'
    throw frameworkError('ACTION_OPTION', { option, value: String(value), rule })
  }
}

/** Sorts what does not fit by field. */
function invalidInput(issues: readonly StandardIssue[], fields: FormData | null): InvalidInput {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const { message, path } of issues) {
    const field = (path ?? []).map(keyText).join('.')
    const known = field === '' ? formErrors : fieldErrors.get(field)
    if (known) known.push(message)
    else fieldErrors.set(field, [message])
  }
  return markInvalidInput({
    isInvalid: true,
    formErrors,
    fieldErrors: Object.fromEntries(fieldErrors),
    values: fields ? echoedValues(fields) : {},
  })
}

function keyText(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
