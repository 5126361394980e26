/**
 * Finds the HTML link that an event belongs to, also in an open shadow root. Links of SVG and image
 * maps are left to the browser.
 */
export function linkOf(event: Event): HTMLAnchorElement | null {
  for (const node of event.composedPath()) {
    if (node instanceof HTMLAnchorElement) return node
    if (node instanceof SVGAElement) return null
  }
  return null
}

/** Tells whether a URL has a fragment. That of `#` is empty, as is `hash` of a URL without one. */
export function hasFragment({ href }: { readonly href: string }): boolean {
  return href.includes('#')
}
