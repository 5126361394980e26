import { createElement, type ReactNode } from 'react'

/** All styles of an app share one precedence: their order is that of the segments, root first. */
const precedence = 'waymark'

/**
 * The links of stylesheets, for React to put into the document's head.
 * @returns `null` for a file that brings no styles
 */
export function stylesheetLinks(hrefs: readonly string[] | undefined): ReactNode {
  if (!hrefs || hrefs.length === 0) return null
  return hrefs.map((href) =>
    createElement('link', { key: href, rel: 'stylesheet', href, precedence }),
  )
}
