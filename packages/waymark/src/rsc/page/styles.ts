import { createElement, isValidElement, type ReactNode } from 'react'
import type { Stylesheet } from '../../shared/payload.ts'
import { stylePrecedence } from '../../shared/protocol.ts'

// As Vite and plugin-rsc ask for theirs: a preload counts only for a request of the same mode.
const crossOrigin = 'anonymous'

/**
 * The links of stylesheets, for React to put into the document's head.
 * @returns `null` for a file that brings no styles
 */
export function stylesheetLinks(stylesheets: readonly Stylesheet[]): ReactNode {
  if (stylesheets.length === 0) return null
  return stylesheets.map(([href, integrity]) =>
    createElement('link', {
      key: href,
      rel: 'stylesheet',
      href,
      integrity,
      precedence: stylePrecedence,
      crossOrigin,
    }),
  )
}

/**
 * Finds the styles of a route file in the dev server, ahead of their rendering: found while a
 * document streams, they would be linked in the order in which their search happened to end.
 * @param styles the element that plugin-rsc makes of `import.meta.viteRsc.loadCss`
 * @returns an element that renders their links at once
 */
export async function findLinks(styles: ReactNode): Promise<ReactNode> {
  // An async component without props: plugin-rsc has no function for what it does.
  return isValidElement(styles) ? (styles.type as () => Promise<ReactNode>)() : styles
}
