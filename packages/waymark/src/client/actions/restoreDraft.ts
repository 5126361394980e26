import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, navigateDocument } from '../navigation/documentNavigation.ts'
import { draftKey, type Field } from '../navigation/formFields.ts'
import { createNoticeBoard } from '../navigation/notice.ts'
import { actionTexts } from './actionTexts.ts'
import { type DraftField, draftValue, findField, isCheckable, saveDraft } from './formDraft.ts'

/** How long a form may take to appear. */
const longestWaitMs = 10_000

/**
 * Restores what was typed in the document before this one, and tells the user why.
 * @param hydrated resolves once React has taken over
 */
export function restoreDraft(view: Window, hydrated: Promise<unknown>): void {
  const {
    texts: { actions },
    ...locale
  } = documentLocale()
  const fields = takeDraft(view)
  if (fields.length === 0) return
  void restoreFields(view.document, fields, hydrated)
  const board = createNoticeBoard(view.document, locale)
  const { restored, ok } = actionTexts(actions)
  board.show({ text: restored, actions: [{ label: ok, run: board.hide }] })
}

/** Removes it from the storage, so that it is restored once. */
function takeDraft({ sessionStorage, location }: Window): readonly DraftField[] {
  try {
    const text = sessionStorage.getItem(draftKey)
    sessionStorage.removeItem(draftKey)
    const draft = JSON.parse(text ?? '{}') as { pathname?: string; typed?: readonly DraftField[] }
    return draft.pathname === location.pathname ? (draft.typed ?? []) : []
  } catch {
    // Storage is blocked, or holds something else.
    return []
  }
}

/**
 * Restores fields at once, so that the user sees them, and again when React has taken over, so
 * that components get their values. Fields that are not there yet are waited for.
 */
async function restoreFields(
  document: Document,
  fields: readonly DraftField[],
  hydrated: Promise<unknown>,
): Promise<void> {
  for (const each of fields) {
    const field = findField(document, each)
    if (field) setValue(field, each.value)
  }
  await hydrated
  let missing = fields
  const restore = () => {
    missing = missing.filter((each) => !restoreField(document, each))
    if (missing.length === 0) observer.disconnect()
  }
  const observer = new MutationObserver(restore)
  observer.observe(document, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWaitMs)
  restore()
}

/** @returns false when the field is not there yet */
function restoreField(document: Document, draft: DraftField): boolean {
  const field = findField(document, draft)
  if (!field) return false
  const { value } = draft
  const now = JSON.stringify(draftValue(field))
  // The user was faster: what is there is newer.
  if (now !== JSON.stringify(value) && now !== JSON.stringify(defaultOf(field))) return true
  // React compares with the value that it knows: a field that has the value already changes nothing.
  if (isCheckable(field)) {
    if (field.type === 'radio' && value !== true) return true
    field.checked = !value
    field.click()
    return true
  }
  if (!(field instanceof HTMLSelectElement)) field.value = field.defaultValue
  setValue(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  return true
}

function defaultOf(field: Field): DraftField['value'] {
  if (isCheckable(field)) return field.defaultChecked
  // The first option of a list is not worth knowing: nobody chooses within a moment.
  return field instanceof HTMLSelectElement ? draftValue(field) : field.defaultValue
}

/** Past React's own setter, as typing does. */
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

/** Leads an old page to the build that the server has. */
export type DraftRecovery = {
  /**
   * Loads the document again, with what was typed.
   * @returns false when that can't help: the server can't be reached, or it was tried a moment ago
   */
  reload(): Promise<boolean>
}

const guardKey = 'waymark-recovered'
/** A page that is refused again after so short a time would be reloaded in a circle. */
const guardMs = 60_000
/** After which the browser has not left, and will not. */
const leavingMs = 10_000

/** Creates it for a window. @param changed the fields that the user has changed */
export function createDraftRecovery(view: Window, changed: () => readonly Field[]): DraftRecovery {
  return {
    async reload() {
      const url = new URL(view.location.href)
      if ((await checkReachable(url, new AbortController().signal)) !== 'ok') return false
      if (!mayReload(view, url.pathname)) return false
      saveDraft(view, changed())
      navigateDocument(view, url)
      await new Promise((resolve) => setTimeout(resolve, leavingMs))
      return true
    },
  }
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
