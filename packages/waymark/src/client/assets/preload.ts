/** Files that were requested; a promise for those that are waited for. */
const requested = new Map<string, Promise<void> | undefined>()

/**
 * Imports a chunk, with the files that it needs requested at the same time: in place of Vite's
 * helper, which is three times as long. Style sheets are waited for.
 * @param files from the app's root, as Vite writes them
 * @throws when a style sheet or the chunk could not be loaded; no event is sent, as Vite's helper
 *   does, because the framework has a fallback of its own
 */
export async function preload<T>(
  load: () => Promise<T>,
  files: readonly string[] = [],
): Promise<T> {
  await Promise.all(files.map(request))
  return load()
}

function request(file: string): Promise<void> | undefined {
  const href = import.meta.env.BASE_URL + file
  if (!requested.has(href)) requested.set(href, append(href))
  return requested.get(href)
}

function append(href: string): Promise<void> | undefined {
  if (document.querySelector(`link[href="${href}"]`)) return undefined
  const isStyle = href.endsWith('.css')
  const link = document.createElement('link')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.crossOrigin = ''
  link.nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
  link.href = href
  document.head.append(link)
  if (!isStyle) return undefined
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      requested.delete(href)
      link.remove()
      reject(new Error(`The style sheet ${href} could not be loaded.`))
    }
  })
}
