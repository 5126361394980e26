import { isPageLink } from './links.ts'
import type { Loader } from './starter.ts'

/**
 * Starts the router when it is likely to be needed: a link or a form of the app is pointed at or
 * touched; where React runs, any form, which may call an action.
 */
export function onIntent(document: Document, starter: Loader): void {
  const ending = new AbortController()
  const look = ({ target }: Event) => {
    const near = target instanceof Element ? target.closest('a, form') : null
    const isOurs =
      near instanceof HTMLAnchorElement
        ? isPageLink(near)
        : near?.hasAttribute('data-waymark-form') || (near && starter.hasBegun)
    if (!isOurs) return
    ending.abort()
    void starter.start()
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, look, { passive: true, signal: ending.signal })
  }
}

/** Calls back when the document is there and the browser has nothing better to do. */
export function onIdle(view: Window, act: () => void): void {
  const wait = () => {
    // Safari has no such thing.
    if (view.requestIdleCallback) view.requestIdleCallback(act)
    else view.setTimeout(act, 500)
  }
  if (view.document.readyState === 'complete') wait()
  else view.addEventListener('load', wait, { once: true })
}
