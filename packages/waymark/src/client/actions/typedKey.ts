/** Where what was typed waits for the document that comes next. */
export const draftKey = 'waymark-typed'

/** Whether the document before this one has left something. */
export function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(draftKey) !== null
  } catch {
    // Blocked storage holds nothing.
    return false
  }
}
