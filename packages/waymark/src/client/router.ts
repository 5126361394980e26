'use client'

import { createContext, useContext } from 'react'

/** Where and how to navigate. */
export type NavigateOptions = {
  /** Takes the place of the current history entry. */
  readonly replace?: boolean
  /** Goes to the top, or to the element of the hash; default true. */
  readonly scroll?: boolean
}

/** Navigates from code. */
export type Router = {
  push(href: string, options?: NavigateOptions): void
  replace(href: string, options?: NavigateOptions): void
  /** Fetches the current page again; mounted state stays. */
  refresh(): void
  back(): void
  forward(): void
}

function unavailable(): never {
  throw new Error('The router works in the browser: call it in an event handler or an effect.')
}

/** The router of the document; while rendering on the server it can only be held. */
export const RouterContext = createContext<Router>({
  push: unavailable,
  replace: unavailable,
  refresh: unavailable,
  back: unavailable,
  forward: unavailable,
})

/** The router, for navigations from event handlers and effects. */
export function useRouter(): Router {
  return useContext(RouterContext)
}
