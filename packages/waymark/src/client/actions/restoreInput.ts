import { forgetValue, hasMissedToggle, isControlled } from '../../react/client/elements.ts'
import { isHydrated } from '../../react/client/hydrated.ts'
import { checkReachable, navigateDocument } from '../navigation/documentNavigation.ts'
import { consumeDraft, fieldsByKey, saveDraft } from '../navigation/formDraft.ts'
import { type DraftValue, draftValue, type Field, isTick } from '../navigation/formFields.ts'
import { createNoticeBoard, documentLocale } from '../navigation/notice.ts'
import { actionTexts } from './callNotice.ts'

/** Maximum milliseconds to wait until React mounts or hydrates a field. */
const takeoverMs = 10_000

/**
 * Restores text that was typed in the previous document. The text is shown at once. After
 * hydration, it is set again, so that components get the events.
 */
export async function restoreDraft(view: Window, hydrated: Promise<unknown>): Promise<void> {
  const { document } = view
  const { texts, ...locale } = documentLocale()
  const missing = new Map(consumeDraft(view))
  if (missing.size === 0) return
  const board = createNoticeBoard(document, locale)
  const { restored, ok } = actionTexts(texts.actions)
  board.show({ text: restored, actions: [{ label: ok, run: board.hide }], onEscape: board.hide })
  for (const [key, field] of fieldsByKey(document)) setValue(field, missing.get(key))
  await hydrated
  restoreFields(document, missing)
}

/** A value that is put back into a field. Files can only be restored within the same document. */
export type RestoredValue = DraftValue | FileList

/**
 * Restores the input of fields once React has mounted them again.
 * @returns a function that resets their forms
 */
export function restoreRemounted(document: Document, changed: readonly Field[]): () => void {
  const before = new Map([...fieldsByKey(document)].filter(([, field]) => changed.includes(field)))
  const values = new Map<string, RestoredValue>()
  for (const [key, field] of before) {
    const files = field instanceof HTMLInputElement && field.files
    values.set(key, files || draftValue(field))
  }
  const isAnother = (key: string, field: Field) => before.has(key) && field !== before.get(key)
  restoreFields(document, values, isAnother)
  return () => {
    for (const [key, field] of fieldsByKey(document)) if (isAnother(key, field)) field.form?.reset()
  }
}

/**
 * Fills in fields again, including fields that appear within the next 10 seconds. Each field's
 * component gets the same events as for typing, once React has hydrated it. Fields that the user
 * has changed since are left alone.
 * @param values values by the keys of `fieldsByKey`. Restored values are deleted from the map.
 * @param isIt true for fields to fill in
 */
export function restoreFields(
  document: Document,
  values: Map<string, RestoredValue>,
  isIt = (_key: string, _field: Field) => true,
): void {
  const restore = () => {
    for (const [key, field] of fieldsByKey(document)) {
      const value = values.get(key)
      if (value === undefined || !isIt(key, field)) continue
      values.delete(key)
      if (isDefault(field)) setValue(field, value)
      void restoreField(field, new Map([[field, value]]))
    }
    if (values.size === 0) observer.disconnect()
  }
  const observer = new MutationObserver(restore)
  observer.observe(document, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), takeoverMs)
  restore()
}

const guardKey = 'waymark-recovered'
/** Minimum milliseconds between two automatic reloads of a page, so that it isn't reloaded in a loop. */
const guardMs = 60_000
const leavingMs = 10_000

/**
 * Loads the document of the server's current build, and keeps the typed text.
 * @returns false if the document was reloaded for this reason a short time ago, so that another
 * reload wouldn't help
 */
export async function reloadWithDraft(
  view: Window,
  changed: () => readonly Field[],
): Promise<boolean> {
  const url = new URL(view.location.href)
  if ((await checkReachable(url, new AbortController().signal)) !== 'ok') return false
  if (!mayReload(view, url.pathname)) return false
  saveDraft(view, changed())
  navigateDocument(view, url)
  await new Promise((resolve) => setTimeout(resolve, leavingMs))
  return true
}

function mayReload({ sessionStorage }: Window, pathname: string): boolean {
  try {
    const [path, atMs] = (sessionStorage.getItem(guardKey) ?? '').split(' ')
    if (path === pathname && Date.now() - Number(atMs) < guardMs) return false
    sessionStorage.setItem(guardKey, `${pathname} ${Date.now()}`)
    return true
  } catch {
    // Don't reload without storage: typed text would be lost, and a reload loop couldn't be detected.
    return false
  }
}

const checkEveryMs = 50

/**
 * Restores a field's value once React has hydrated the field, unless the user has since changed the
 * value. Also dispatches events, because React calls no handlers for input before hydration.
 * @param typed the latest values. A value is deleted when it is restored, so that no value is
 *   restored twice.
 */
export async function restoreField(field: Field, typed: Map<Field, RestoredValue>): Promise<void> {
  if (!(await untilHydrated(field))) return
  const restored = typed.get(field)
  if (restored === undefined) return
  typed.delete(field)
  // React never resets file inputs, so their components only need the event.
  if (field.type === 'file') return dispatch(field, 'change')
  if (field.matches(':disabled')) return
  // Hydration resets only text areas and controlled fields. All other fields still show what the
  // user typed, or were reset with their form.
  const isChanged =
    field.type === 'textarea' || isControlled(field, isTick(field) ? 'checked' : 'value')
  const value = isChanged ? restored : draftValue(field)
  const isThere = JSON.stringify(draftValue(field)) === JSON.stringify(value)
  // The field was changed after its value was saved, so keep the newer value.
  if (!isThere && !isDefault(field)) return
  // React ignores an event if the field's value is the last one that React has seen, so change the
  // value first.
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

/**
 * Dispatches `toggle` for `<details>` elements that were opened or closed before hydration, so that
 * their components know.
 */
export async function reportToggles(document: Document): Promise<void> {
  for (const element of document.querySelectorAll('details')) {
    if ((await untilHydrated(element)) && hasMissedToggle(element)) {
      element.dispatchEvent(new Event('toggle'))
    }
  }
}

/** Waits until React has hydrated an element. @returns false after 10 seconds */
export async function untilHydrated(element: Element): Promise<boolean> {
  const end = Date.now() + takeoverMs
  while (!isHydrated(element)) {
    if (Date.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
  }
  return true
}

function dispatch(field: Field, ...types: readonly string[]): void {
  for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/**
 * True if a field has its default value. A select counts as unchanged, because users rarely change
 * one that fast.
 */
function isDefault(field: Field): boolean {
  if (isTick(field)) return field.checked === field.defaultChecked
  return field instanceof HTMLSelectElement || field.value === field.defaultValue
}

/** Sets a value without React's own setter, in the same way as typing. */
function setValue(field: Field, value: RestoredValue | undefined): void {
  if (value === undefined) return
  if (value instanceof FileList) {
    // A script can't choose files, but it can assign files that the user has chosen.
    ;(field as HTMLInputElement).files = value
  } else if (field.type === 'file') {
    return
  } else if (typeof value === 'boolean') {
    ;(field as HTMLInputElement).checked = value
  } else if (field instanceof HTMLSelectElement) {
    const chosen = [value].flat()
    for (const option of field.options) option.selected = chosen.includes(option.value)
  } else {
    const prototype = Object.getPrototypeOf(field) as object
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  }
}
