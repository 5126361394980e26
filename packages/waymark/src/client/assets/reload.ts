/**
 * Returns true only once for each reason and tab, so that automatic reloads can't become an endless
 * loop. Returns false if storage is blocked.
 */
export function mayReload(reason: string, storage: () => Storage = () => sessionStorage): boolean {
  const key = `waymark-reload:${reason}`
  try {
    if (storage().getItem(key)) return false
    storage().setItem(key, '1')
    return true
  } catch {
    return false
  }
}

/**
 * Reloads the document to get the code of the current build, at most once in a tab.
 * @returns true if the document is being reloaded
 */
export function reloadOnce(): boolean {
  const isFirst = mayReload(import.meta.url)
  if (isFirst) location.reload()
  return isFirst
}
