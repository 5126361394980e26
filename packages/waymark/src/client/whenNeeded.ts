import { isPageLink } from './links.ts'

/** Calls back when a navigation is likely: a link or a form of the app is pointed at or touched. */
export function whenMeant(document: Document, act: () => void): void {
  const ending = new AbortController()
  const look = ({ target }: Event) => {
    const near = target instanceof Element ? target.closest<HTMLElement>('a, form') : null
    const isOurs =
      near instanceof HTMLAnchorElement ? isPageLink(near) : near?.hasAttribute('data-waymark-form')
    if (!isOurs) return
    ending.abort()
    act()
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, look, { passive: true, signal: ending.signal })
  }
}

/** Calls back when the document is there and the browser has nothing better to do. */
export function whenIdle(view: Window, act: () => void): void {
  const wait = () => {
    // Safari has no such thing.
    if (view.requestIdleCallback) view.requestIdleCallback(act)
    else view.setTimeout(act, 500)
  }
  if (view.document.readyState === 'complete') wait()
  else view.addEventListener('load', wait, { once: true })
}
