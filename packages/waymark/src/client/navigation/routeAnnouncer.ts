// For screen readers only.
const hiddenStyle =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap'

/**
 * Creates what announces a new page to users who don't see it: focus goes to its heading, and a
 * screen reader reads its title, from a live region beside the body, outside of React.
 * @returns gets what had the focus before the page came
 */
export function createRouteAnnouncer(document: Document): (before: Element | null) => void {
  let region: HTMLElement | null = null
  return (before) => {
    focusStart(document, before)
    region ??= liveRegion(document)
    region.textContent = document.title
  }
}

/**
 * Moves the focus to where the page starts.
 * @param before what may lose it
 */
export function focusStart(document: Document, before: Element | null): void {
  const { activeElement, body } = document
  // What the app has focused itself, by `autoFocus` or in an effect, stays focused.
  if (activeElement && activeElement !== body && activeElement !== before) return
  const start = visible(document, 'h1') ?? visible(document, 'main') ?? body
  if (!start.hasAttribute('tabindex')) {
    start.setAttribute('tabindex', '-1')
    start.addEventListener('blur', () => start.removeAttribute('tabindex'), { once: true })
    start.style.outline = 'none'
  }
  start.focus({ preventScroll: true })
}

// Previous pages, for going back, are in the document, too, and hidden.
function visible(document: Document, selector: string): HTMLElement | null {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  return found.find((element) => element.checkVisibility()) ?? null
}

function liveRegion(document: Document): HTMLElement {
  const region = document.createElement('div')
  region.setAttribute('aria-live', 'polite')
  region.setAttribute('aria-atomic', 'true')
  region.style.cssText = hiddenStyle
  document.documentElement.append(region)
  return region
}
