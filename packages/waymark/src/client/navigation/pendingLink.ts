/**
 * Marks a link whose target is being loaded, for style sheets: `a[data-pending]`.
 * @returns takes the mark away
 */
export function markPending(link: Element | null): () => void {
  link?.setAttribute('aria-busy', 'true')
  link?.setAttribute('data-pending', '')
  return () => {
    link?.removeAttribute('aria-busy')
    link?.removeAttribute('data-pending')
  }
}
