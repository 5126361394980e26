/** Allows one reload of the document by itself for each reason and tab: more might never end. */
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

/** Reloads the document, once: a new one names the code of the build that runs now. */
export function reloadOnce(): boolean {
  const isFirst = mayReload(import.meta.url)
  if (isFirst) location.reload()
  return isFirst
}
