import { stylePrecedence } from '../shared/protocol.ts'

/** How long a page waits for its stylesheets, of the time that its navigation has. */
const longestWaitMs = 2000

/**
 * Waits for the stylesheets of a page: shown before them, it would flash.
 * @param hrefs of stylesheets that may be there already
 * @returns resolves when each is there, can't be had, or takes too long: a page without style
 *   is still a page
 */
export async function loadStyles(document: Document, hrefs: readonly string[]): Promise<void> {
  await Promise.all(hrefs.map((href) => loadStyle(document, href)))
}

async function loadStyle(document: Document, href: string): Promise<void> {
  if (linksOf(document, href).some(({ sheet }) => sheet !== null)) return
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, longestWaitMs, false))
  const isThere = preload(document, href).then((is) => is || preload(document, href))
  if (!(await Promise.race([isThere, late]))) insert(document, href)
}

/** React waits for stylesheets, too, but not for one that the document has already. */
function insert(document: Document, href: string): void {
  if (linksOf(document, href).length > 0) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = 'anonymous'
  link.dataset.precedence = stylePrecedence
  link.href = href
  document.head.append(link)
}

function linksOf(document: Document, href: string): HTMLLinkElement[] {
  const all = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
  return [...all].filter((link) => link.getAttribute('href') === href)
}

function preload(document: Document, href: string): Promise<boolean> {
  return new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = 'style'
    // As React's own links: a preload counts only for a request of the same mode.
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
