import { forgetValue, hasMissedToggle, isControlled } from '../../react/client/elements.ts'
import { isHydrated } from '../../react/client/hydrated.ts'
import { checkReachable, navigateDocument } from '../navigation/documentNavigation.ts'
import { consumeDraft, fieldsByKey, saveDraft } from '../navigation/formDraft.ts'
import { type DraftValue, draftValue, type Field, isTick } from '../navigation/formFields.ts'
import { createNoticeBoard, documentLocale } from '../navigation/notice.ts'
import { actionTexts } from './callNotice.ts'

/** How long React may take to mount a field, or to take it over. */
const takeoverMs = 10_000

/**
 * Restores what was typed in the document before this one: at once for the eye, and again for
 * components, when React has taken over.
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

/** A value that is put back into a field: files, too, where the document is the same. */
export type RestoredValue = DraftValue | FileList

/**
 * Puts back what was entered once React has mounted the same fields again. @returns empties them
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
 * Fills fields in again, now and as they come to the page, for 10 seconds. Once React has hydrated a
 * field, its component gets the events of typing. A field that the user has changed stays.
 * @param values by the keys of `fieldsByKey`; each one is deleted when it was put back
 * @param isIt chooses among the fields of a key that is in `values`
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
/** A page that is refused again after so short a time would be reloaded in a circle. */
const guardMs = 60_000
const leavingMs = 10_000

/**
 * Loads the document of the server's build, with what was typed. @returns false if that can't help
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
    // Without storage, what was typed would be lost, and a circle would never end.
    return false
  }
}

const checkEveryMs = 50

/**
 * Puts a value back once React has taken the field over, unless the user was faster, and tells
 * components of it: React calls no handler for what was typed before.
 * @param typed the newest values; what is told is taken out, so that it is told once
 */
export async function restoreField(field: Field, typed: Map<Field, RestoredValue>): Promise<void> {
  if (!(await untilHydrated(field))) return
  const restored = typed.get(field)
  if (restored === undefined) return
  typed.delete(field)
  // React leaves files alone.
  if (field.type === 'file') return dispatch(field, 'change')
  if (field.matches(':disabled')) return
  // Other fields, React leaves alone: they are as the user left them, or a reset of the form.
  const isChanged =
    field.type === 'textarea' || isControlled(field, isTick(field) ? 'checked' : 'value')
  const value = isChanged ? restored : draftValue(field)
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

/** Tells components of what was opened or closed before React took it over. */
export async function reportToggles(document: Document): Promise<void> {
  for (const element of document.querySelectorAll('details')) {
    if ((await untilHydrated(element)) && hasMissedToggle(element)) {
      element.dispatchEvent(new Event('toggle'))
    }
  }
}

/** Waits until React has hydrated an element. @returns false after 10 seconds without */
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

/** Of a list, any choice counts: nobody chooses within a moment. */
function isDefault(field: Field): boolean {
  if (isTick(field)) return field.checked === field.defaultChecked
  return field instanceof HTMLSelectElement || field.value === field.defaultValue
}

/** Past React's own setter, as typing does. */
function setValue(field: Field, value: RestoredValue | undefined): void {
  if (value === undefined) return
  if (value instanceof FileList) {
    // No script can choose a file; those that the user has chosen, it can.
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
