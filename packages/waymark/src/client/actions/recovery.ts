import { navigateDocument } from '../navigation/openDocument.ts'
import { checkReachable } from '../navigation/probe.ts'
import type { Field } from '../navigation/touchedFields.ts'
import { saveDraft } from './typedFields.ts'

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
      if ((await checkReachable(url, new AbortController().signal)) !== 'there') return false
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
