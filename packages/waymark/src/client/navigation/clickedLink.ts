/**
 * Finds the HTML link on which an event occurred, including links in open shadow roots. Ignores
 * links in SVG and image maps, which are left to the browser.
 */
export function linkOf(event: Event): HTMLAnchorElement | null {
  for (const node of event.composedPath()) {
    if (node instanceof HTMLAnchorElement) return node
    if (node instanceof SVGAElement) return null
  }
  return null
}

/**
 * True if a URL has a fragment, even an empty one. `hash` is empty for `#` and for URLs without a
 * fragment.
 */
export function hasFragment({ href }: { readonly href: string }): boolean {
  return href.includes('#')
}
