/** How long a page waits for its stylesheets, of the time that its navigation has. */
const longestWaitMs = 2000

/**
 * Waits for the stylesheets of a page: shown before them, it would flash.
 * @param hrefs of stylesheets that may be there already
 * @returns resolves when each is there, can't be had, or takes too long: a page without style
 *   is still a page
 */
export async function loadStyles(document: Document, hrefs: readonly string[]): Promise<void> {
  const all = Promise.all(hrefs.map((href) => loadStyle(document, href)))
  const longest = new Promise((resolve) => setTimeout(resolve, longestWaitMs))
  if (hrefs.length > 0) await Promise.race([all, longest])
}

async function loadStyle(document: Document, href: string): Promise<void> {
  const isThere = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].some(
    (link) => link.getAttribute('href') === href && link.sheet !== null,
  )
  if (!isThere) (await preload(document, href)) || (await preload(document, href))
}

function preload(document: Document, href: string): Promise<boolean> {
  return new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = 'style'
    link.crossOrigin = 'anonymous'
    link.href = href
    link.onload = () => resolve(true)
    link.onerror = () => {
      link.remove()
      resolve(false)
    }
    document.head.append(link)
  })
}
