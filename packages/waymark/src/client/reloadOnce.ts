/** A build's code that is gone is looked for by a new document, once: not in a loop. */
export function reloadOnce(): void {
  const key = `waymark-reload:${import.meta.url}`
  try {
    if (sessionStorage.getItem(key)) return
    sessionStorage.setItem(key, location.href)
  } catch {
    // Without storage there is no telling a loop from a first try.
    return
  }
  location.reload()
}
