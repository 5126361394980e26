import { documentLocale } from '../locale.ts'
import { createNoticeBoard } from '../navigation/notice.ts'
import type { Field } from '../navigation/touchedFields.ts'
import { actionTexts } from './texts.ts'
import { type DraftField, draftValue, findField, isCheckable } from './typedFields.ts'
import { draftKey } from './typedKey.ts'

/** How long a form may take to be there. */
const longestWaitMs = 10_000

/**
 * Puts back what was typed in the document before this one, and tells the person why.
 * @param hydrated resolves once React has taken over
 */
export function restoreDraft(view: Window, hydrated: Promise<unknown>): void {
  const {
    texts: { actions },
    ...locale
  } = documentLocale()
  const typed = takeTyped(view)
  if (typed.length === 0) return
  void putBack(view.document, typed, hydrated)
  const board = createNoticeBoard(view.document, locale)
  const { restored, ok } = actionTexts(actions)
  board.show({ text: restored, actions: [{ label: ok, run: board.hide }] })
}

/** Takes it, so that it is put back once. */
function takeTyped({ sessionStorage, location }: Window): readonly DraftField[] {
  try {
    const text = sessionStorage.getItem(draftKey)
    sessionStorage.removeItem(draftKey)
    const kept = JSON.parse(text ?? '{}') as { pathname?: string; typed?: readonly DraftField[] }
    return kept.pathname === location.pathname ? (kept.typed ?? []) : []
  } catch {
    // Storage is blocked, or holds what nobody here has written.
    return []
  }
}

/**
 * Puts back what was typed: at once, so that it is seen, and again when React has taken over, so
 * that components hear of it. What is not there yet is waited for.
 */
async function putBack(
  document: Document,
  typed: readonly DraftField[],
  hydrated: Promise<unknown>,
): Promise<void> {
  for (const each of typed) {
    const field = findField(document, each)
    if (field) setValue(field, each.value)
  }
  await hydrated
  let missing = typed
  const restore = () => {
    missing = missing.filter((each) => !restoreField(document, each))
    if (missing.length === 0) observer.disconnect()
  }
  const observer = new MutationObserver(restore)
  observer.observe(document, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWaitMs)
  restore()
}

function restoreField(document: Document, { value, ...place }: DraftField): boolean {
  const field = findField(document, { value, ...place })
  if (!field) return false
  const now = JSON.stringify(draftValue(field))
  // The person was faster: what is there is newer.
  if (now !== JSON.stringify(value) && now !== JSON.stringify(defaultOf(field))) return true
  // React compares with what it has seen last: a field that has the value already tells nothing.
  if (isCheckable(field)) {
    if (field.type === 'radio' && value !== true) return true
    field.checked = !value
    field.click()
    return true
  }
  if (!(field instanceof HTMLSelectElement)) field.value = field.defaultValue
  setValue(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}

function defaultOf(field: Field): DraftField['value'] | null {
  if (isCheckable(field)) return field.defaultChecked
  // Which option a list begins with is not worth knowing: it is chosen within a moment by nobody.
  return field instanceof HTMLSelectElement ? draftValue(field) : field.defaultValue
}

/** Past React's own setter, as a person's typing goes. */
function setValue(field: Field, value: DraftField['value']): void {
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
