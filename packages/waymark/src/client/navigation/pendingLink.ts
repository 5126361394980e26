/**
 * Marks a link whose target is being loaded, for style sheets: `a[data-pending]`.
 * @param hydrated resolves once React has taken over the document: development React complains of
 *   attributes that no component has rendered
 * @returns removes the mark
 */
export function markPending(link: Element | null, hydrated: Promise<void>): () => void {
  let isOver = false
  const mark = () => {
    if (isOver) return
    link?.setAttribute('aria-busy', 'true')
    link?.setAttribute('data-pending', '')
  }
  if (import.meta.env.DEV) void hydrated.then(mark)
  else mark()
  return () => {
    isOver = true
    link?.removeAttribute('aria-busy')
    link?.removeAttribute('data-pending')
  }
}
