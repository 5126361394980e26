/** Where what was typed waits for the document that comes next. */
export const typedKey = 'waymark-typed'

/** Whether the document before this one has left something. */
export function hasTyped(): boolean {
  try {
    return sessionStorage.getItem(typedKey) !== null
  } catch {
    // Blocked storage holds nothing.
    return false
  }
}
