/** React's properties on elements of the DOM: none of them is public, and none of them is needed. */

/** The props of an element that say what it submits. Where they are not found, there are none. */
export function propsOf(
  element: Element | null,
): { action?: unknown; formAction?: unknown } | undefined {
  if (!element) return undefined
  const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))
  return key === undefined ? undefined : (element as unknown as Record<string, object>)[key]
}

/**
 * Makes React take the value of a field for a new one. It is not written: the caret stays where it is, and an input
 * method goes on composing.
 */
export function forgetValue(field: Element & { readonly defaultValue: string }): void {
  const { _valueTracker: known } = field as { _valueTracker?: { setValue(value: string): void } }
  known?.setValue(field.defaultValue)
}

/** Whether React has taken an element over: it keeps properties of its own on it. */
export function isOfReact(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__react'))
}
