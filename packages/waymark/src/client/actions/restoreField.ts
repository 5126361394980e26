import { forgetValue, isOfReact } from '../../react/client/elements.ts'
import { type EarlyInput, type Field, isTick } from '../navigation/formFields.ts'
import { type DraftValue, draftValue } from './formDraft.ts'

/** How long React may take to take a field over. */
const longestWaitMs = 10_000
const checkEveryMs = 50

/**
 * Tells components what a person has typed and chosen before React took over. React puts back the text of a
 * `<textarea>`, calls no handler, and with its next rendering puts back the value of each controlled field.
 */
export function restoreEarlyInput(early: readonly EarlyInput[]): void {
  for (const [field, value, checked, chosen] of early) {
    if (isTick(field)) void restoreField(field, checked)
    else void restoreField(field, field.type === 'select-multiple' ? chosen : value)
  }
}

/**
 * Puts back what was typed, so that the components of the field hear of it, once React has taken the field over: parts
 * of a page are later than others. Not if something else has been typed by then.
 */
export async function restoreField(field: Field, value: DraftValue): Promise<void> {
  // The user sees it at once.
  if (isDefault(field)) setValue(field, value)
  const end = Date.now() + longestWaitMs
  while (!isOfReact(field)) {
    if (Date.now() > end) return
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
  }
  // A file can't be chosen by a script, and React leaves it alone.
  if (field.type === 'file') return dispatch(field, 'change')
  if (field.matches(':disabled')) return
  const isThere = JSON.stringify(draftValue(field)) === JSON.stringify(value)
  // The user was faster: what is there is newer.
  if (!isThere && !isDefault(field)) return
  // React compares with the value that it knows: a field that has the value already changes nothing.
  if (isTick(field)) {
    if (field.type === 'radio' && value !== true) return
    field.checked = !value
    field.click()
    return
  }
  if (!(field instanceof HTMLSelectElement)) forgetValue(field)
  if (!isThere) setValue(field, value)
  dispatch(field, 'input', 'change')
}

function dispatch(field: Field, ...types: readonly string[]): void {
  for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Of a list, any choice counts: nobody chooses within a moment. */
function isDefault(field: Field): boolean {
  if (isTick(field)) return field.checked === field.defaultChecked
  return field instanceof HTMLSelectElement || field.value === field.defaultValue
}

/** Past React's own setter, as typing does. */
export function setValue(field: Field, value: DraftValue | undefined): void {
  if (value === undefined) return
  if (typeof value === 'boolean') {
    ;(field as HTMLInputElement).checked = value
  } else if (field instanceof HTMLSelectElement) {
    const chosen = typeof value === 'string' ? [value] : value
    for (const option of field.options) option.selected = chosen.includes(option.value)
  } else {
    const prototype = Object.getPrototypeOf(field) as object
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  }
}
