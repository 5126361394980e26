import { isOver, type Page } from './page.ts'

export const hiddenStyle =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap'

export type AnnouncedRoute = {
  readonly from: Page
  readonly to: Page
  /** True for a different page; false if only the query differs. */
  readonly isOther: boolean
  readonly focused: Element | null
  /** The clicked link. Some browsers don't give it the focus. */
  readonly link: Element | null | undefined
}

/**
 * Announces a new page to screen reader users. The focus moves to the page's heading, and a live
 * region announces the page's title. When a modal page is closed, the focus moves back to the link
 * that opened it.
 */
export function createRouteAnnouncer(document: Document): (arrival: AnnouncedRoute) => void {
  let region: HTMLElement | null = null
  let opener: Element | null = null
  return ({ from, to, isOther, focused, link }) => {
    const { activeElement, body, title } = document
    if (isOver(to) && !isOver(from)) opener = link ?? focused
    if (isOther) focusStart(document, focused, startOf(from, to))
    else if (activeElement === body && focused !== body) focusStart(document, null)
    region ??= liveRegion(document)
    // Screen readers don't announce an unchanged text again, so add an invisible space to a
    // repeated title.
    region.textContent = region.textContent === title ? `${title}\u00a0` : title
  }

  function startOf(from: Page, to: Page): HTMLElement | null {
    if (isOver(to)) {
      const dialog = visible(document, 'dialog[open],[role=dialog]')
      return dialog?.querySelector<HTMLElement>('h1,h2') ?? dialog
    }
    const isClosed = isOver(from) && from.from === to.route.pathname
    return isClosed && opener instanceof HTMLElement && opener.checkVisibility() ? opener : null
  }
}

/**
 * Moves the focus to `start` or to the page's heading, unless the app itself has focused an element.
 * @param before the element that had the focus before the page was shown
 */
export function focusStart(
  document: Document,
  before: Element | null,
  start: HTMLElement | null = null,
): void {
  const { activeElement, body } = document
  // Keep the focus if the app has focused an element itself, with `autoFocus` or in an effect.
  if (activeElement && activeElement !== body && activeElement !== before) return
  const at =
    start ??
    visible(document, 'h1') ??
    visible(document, 'main') ??
    visible(document, 'body>*') ??
    body
  if (at.tabIndex < 0 && !at.hasAttribute('tabindex')) {
    at.setAttribute('tabindex', '-1')
    at.addEventListener('blur', () => at.removeAttribute('tabindex'), { once: true })
    at.style.outline = 'none'
  }
  at.focus({ preventScroll: true })
}

/** Makes the built-in screen the main landmark if no layout has one. */
export function markScreenAsMain(document: Document): void {
  const screen = visible(document, '.waymark-screen')
  if (screen && !visible(document, 'main,[role=main]')) screen.role = 'main'
}

// Finds the first visible match. The document also contains previous pages, which are hidden.
function visible(document: Document, selector: string): HTMLElement | null {
  const elements = [...document.querySelectorAll<HTMLElement>(selector)]
  return elements.find((element) => element.checkVisibility()) ?? null
}

function liveRegion(document: Document): HTMLElement {
  const region = document.createElement('div')
  region.setAttribute('aria-live', 'polite')
  region.setAttribute('aria-atomic', 'true')
  region.style.cssText = hiddenStyle
  document.documentElement.append(region)
  return region
}
