/**
 * Reads the properties that React sets on DOM elements, and replaces a form's action for one
 * submit. React has no public way to read a form's action, to catch its rejection before an error
 * boundary does, or to report a changed value without writing it, which would move the caret. If a
 * later React names these properties differently, an error boundary replaces a form whose call
 * wasn't sent, and the form's fields are then filled in again. Components don't learn about text
 * that was typed before hydration.
 * @see docs/upstream/react-form-action-error/report.md
 * @see docs/upstream/react-early-input/report.md
 */

/** Returns an element's React props, or `undefined` if React's property isn't found. */
function propsOf(element: Element | null): Readonly<Record<string, unknown>> | undefined {
  const key = element && keyOfProps(element)
  return key ? (element as unknown as Record<string, Record<string, unknown>>)[key] : undefined
}

function keyOfProps(element: Element): string | undefined {
  return Object.keys(element).find((each) => each.startsWith('__reactProps$'))
}

export type SubmitFunction = (fields: FormData) => unknown

const originals = new WeakMap<object, unknown>()

/**
 * Returns the original action of the pressed button or of its form, even if the action is wrapped.
 */
export function actionOf(form: Element, submitter: Element | null): unknown {
  const action = propsOf(submitter)?.formAction ?? propsOf(form)?.action
  return (typeof action === 'function' && originals.get(action)) || action
}

/** Makes React call a wrapper in place of an action, only for the submit that is being handled. */
export function wrapAction(
  form: Element,
  submitter: Element | null,
  wrap: (action: SubmitFunction) => SubmitFunction,
): void {
  const isOfButton = propsOf(submitter)?.formAction !== undefined
  const [element, name] = isOfButton && submitter ? [submitter, 'formAction'] : [form, 'action']
  const key = keyOfProps(element)
  if (!key) return
  const holder = element as unknown as Record<string, Record<string, unknown> | undefined>
  const props = holder[key]
  const action = props?.[name]
  if (typeof action !== 'function') return
  const wrapped = wrap(action as SubmitFunction)
  originals.set(wrapped, action)
  const replaced = { ...props, [name]: wrapped }
  holder[key] = replaced
  setTimeout(() => {
    // If React has rendered the element again, its new props already have the original action.
    if (holder[key] === replaced) holder[key] = props
  })
}

/**
 * Makes React treat a field's value as changed, without writing the value, so that the caret stays.
 */
export function forgetValue(field: Element & { readonly defaultValue: string }): void {
  const { _valueTracker: tracker } = field as { _valueTracker?: { setValue(value: string): void } }
  tracker?.setValue(field.defaultValue)
}

/** True if React controls the field's value and resets it after each input. */
export function isControlled(field: Element, by: 'value' | 'checked'): boolean {
  return (propsOf(field)?.[by] ?? null) !== null
}

/** True if a `<details>` was opened or closed before React could call its `onToggle`. */
export function hasMissedToggle(element: HTMLDetailsElement): boolean {
  const { open, onToggle } = (propsOf(element) ?? {}) as { open?: boolean; onToggle?: unknown }
  return onToggle !== undefined && Boolean(open) !== element.open
}
