/**
 * Reads React's properties on DOM elements, and replaces the function of a form for one submit. React has
 * no public way to read the function of a form, to catch its rejection before an error boundary does, or
 * to report a value as changed without writing it, which would move the caret. If a later React has
 * other properties, an error boundary replaces a form whose call was not sent, and its fields are filled
 * in again; components are not notified of text that was typed before hydration.
 * @see docs/upstream/react-form-action-error/report.md
 * @see docs/upstream/react-early-input/report.md
 */

/** The props of an element; empty if React's property is not found. */
function propsOf(element: Element | null): Readonly<Record<string, unknown>> | undefined {
  const key = element && keyOfProps(element)
  return key ? (element as unknown as Record<string, Record<string, unknown>>)[key] : undefined
}

function keyOfProps(element: Element): string | undefined {
  return Object.keys(element).find((each) => each.startsWith('__reactProps$'))
}

export type SubmitFunction = (fields: FormData) => unknown

const originals = new WeakMap<object, unknown>()

/** The action of the button that was pressed, or of its form; not a wrapped one. */
export function actionOf(form: Element, submitter: Element | null): unknown {
  const action = propsOf(submitter)?.formAction ?? propsOf(form)?.action
  return (typeof action === 'function' && originals.get(action)) || action
}

/** Lets React call another function in place of an action, for the submit that is being handled. */
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
    // React may have rendered the element anew.
    if (holder[key] === replaced) holder[key] = props
  })
}

/** Makes React take the value of a field for a new one. It is not written: the caret stays. */
export function forgetValue(field: Element & { readonly defaultValue: string }): void {
  const { _valueTracker: tracker } = field as { _valueTracker?: { setValue(value: string): void } }
  tracker?.setValue(field.defaultValue)
}

/** True for a controlled field, whose value React puts back. */
export function isControlled(field: Element, by: 'value' | 'checked'): boolean {
  return (propsOf(field)?.[by] ?? null) !== null
}

export function hasMissedToggle(element: HTMLDetailsElement): boolean {
  const { open, onToggle } = (propsOf(element) ?? {}) as { open?: boolean; onToggle?: unknown }
  return onToggle !== undefined && Boolean(open) !== element.open
}
