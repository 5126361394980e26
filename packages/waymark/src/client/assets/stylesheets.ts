import type { Stylesheet } from '../../wire/payload.ts'
import { stylePrecedence } from '../../wire/protocol.ts'

/**
 * Maximum milliseconds that a page waits for its stylesheets, which counts towards the navigation's
 * time limit.
 */
const longestWaitMs = 2000

/** Waits a limited time for a page's stylesheets, because the page would flash without them. */
export async function loadStyles(
  document: Document,
  stylesheets: readonly Stylesheet[],
): Promise<void> {
  await Promise.all(stylesheets.map((stylesheet) => loadStyle(document, stylesheet)))
}

async function loadStyle(document: Document, stylesheet: Stylesheet): Promise<void> {
  const [href] = stylesheet
  if (linksOf(document, href).some(({ sheet }) => sheet !== null)) return
  const timedOut = new Promise<boolean>((resolve) => setTimeout(resolve, longestWaitMs, false))
  const preloading = () => preload(document, stylesheet)
  const isThere = preloading().then((is) => is || preloading())
  if (!(await Promise.race([isThere, timedOut]))) insert(document, stylesheet)
}

/**
 * Inserts a stylesheet that didn't load in time. If the stylesheet weren't in the document yet,
 * React would wait for it.
 */
function insert(document: Document, stylesheet: Stylesheet): void {
  if (linksOf(document, stylesheet[0]).length > 0) return
  const link = linkTo(document, stylesheet)
  link.rel = 'stylesheet'
  link.dataset.precedence = stylePrecedence
  document.head.append(link)
}

// Use the same attributes as React's links, because browsers only reuse a preload with the same
// CORS mode and hash.
function linkTo(document: Document, [href, integrity = '']: Stylesheet): HTMLLinkElement {
  const link = document.createElement('link')
  link.crossOrigin = 'anonymous'
  link.integrity = integrity
  link.href = href
  return link
}

function linksOf(document: Document, href: string): HTMLLinkElement[] {
  const all = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
  return [...all].filter((link) => link.getAttribute('href') === href)
}

function preload(document: Document, stylesheet: Stylesheet): Promise<boolean> {
  return new Promise((resolve) => {
    const link = linkTo(document, stylesheet)
    link.rel = 'preload'
    link.as = 'style'
    link.onload = () => resolve(true)
    link.onerror = () => {
      link.remove()
      resolve(false)
    }
    document.head.append(link)
  })
}
