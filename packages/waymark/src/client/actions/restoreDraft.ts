import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, navigateDocument } from '../navigation/documentNavigation.ts'
import { draftKey, type Field } from '../navigation/formFields.ts'
import { createNoticeBoard } from '../navigation/notice.ts'
import { actionTexts } from './failureNotice.ts'
import { type Draft, fieldsByKey, saveDraft } from './formDraft.ts'
import { restoreField, setValue } from './restoreField.ts'

/** How long a form may take to appear. */
const longestWaitMs = 10_000

/**
 * Restores what was typed in the document before this one, and tells the user why. Fields are
 * restored at once, so that the user sees them, and again when React has taken over, so that
 * components get their values. Those that are not there yet are waited for.
 * @param hydrated resolves once React has taken over
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
  const restore = () => {
    for (const [key, field] of fieldsByKey(document)) {
      const value = missing.get(key)
      missing.delete(key)
      if (value !== undefined) void restoreField(field, value)
    }
    if (missing.size === 0) observer.disconnect()
  }
  const observer = new MutationObserver(restore)
  observer.observe(document, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWaitMs)
  restore()
}

/** Removes it from the storage, so that it is restored once. */
function consumeDraft({ sessionStorage, location }: Window): Draft['fields'] {
  try {
    const text = sessionStorage.getItem(draftKey)
    sessionStorage.removeItem(draftKey)
    const draft: Draft = JSON.parse(text ?? '')
    return draft.pathname === location.pathname ? draft.fields : []
  } catch {
    // Storage is blocked, or holds something else.
    return []
  }
}

const guardKey = 'waymark-recovered'
/** A page that is refused again after so short a time would be reloaded in a circle. */
const guardMs = 60_000
/** After which the browser has not left, and will not. */
const leavingMs = 10_000

/**
 * Leads an old page to the build that the server has: loads the document again, with what was
 * typed.
 * @param changed the fields that the user has changed
 * @returns false when that can't help: the server can't be reached, or it was tried a moment ago
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
