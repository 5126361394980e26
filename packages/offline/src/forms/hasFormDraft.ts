/** Where this tab stores what was typed into forms that were refused. */
export const draftsKey = 'waymark-form-drafts'

/** Whether forms wait to be filled in again; what stores them is loaded then. */
export function hasFormDraft(): boolean {
  try {
    return sessionStorage.getItem(draftsKey) !== null
  } catch {
    return false
  }
}
