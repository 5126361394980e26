import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, navigateDocument } from '../navigation/documentNavigation.ts'
import { draftKey, type Field } from '../navigation/formFields.ts'
import { createNoticeBoard } from '../navigation/notice.ts'
import { actionTexts } from './actionTexts.ts'
import { type DraftField, draftValue, findField, isCheckable, saveDraft } from './formDraft.ts'

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

/** The way from an old page to the build that the server has. */
export type DraftRecovery = {
  /**
   * Loads the document anew, and takes along what was typed.
   * @returns false when that can't help: there is no document to go to, or it was tried a moment
   *   ago
   */
  reload(): Promise<boolean>
}

const guardKey = 'waymark-recovered'
/** A page that is refused again after so short a time would be reloaded in a circle. */
const guardMs = 60_000
/** After which the browser has not left, and will not. */
const leavingMs = 10_000

/** Makes it for a window. @param changed the fields that a person has filled in */
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
