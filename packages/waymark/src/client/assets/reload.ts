/**
 * Tells whether a document may be loaded again without anybody having asked: once for each reason,
 * in a tab. What does not change by it would have it load for ever.
 */
export function mayReload(reason: string, storage: () => Storage = () => sessionStorage): boolean {
  const key = `waymark-reload:${reason}`
  try {
    if (storage().getItem(key)) return false
    storage().setItem(key, '1')
    return true
  } catch {
    // Without storage there is no telling a loop from a first try.
    return false
  }
}

/** A build's code that is gone is looked for by a new document, once. */
export function reloadOnce(): void {
  if (mayReload(import.meta.url)) location.reload()
}
