/**
 * Shows a document whose stylesheets do not come: the browser would leave it blank. Each applies
 * once it is there. One whose request was canceled is asked for again.
 */
export function showUnstyled(document: Document): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet) continue
    const { media } = link
    const waiting = link.cloneNode() as HTMLLinkElement
    // What does not apply holds neither the first paint nor the scripts behind it.
    waiting.media = 'not all'
    waiting.onload = () => {
      waiting.media = media
    }
    // A request that runs is shared by both.
    link.after(waiting)
    link.remove()
  }
  // Firefox paints no sooner than somebody asks for a size.
  void document.body?.offsetHeight
}
