'use client'

import { type ComponentType, createContext, useContext } from 'react'
import type { CheckedHref } from '../routing/appRoutes.ts'
import type { Payload, PayloadSegment } from '../wire/payload.ts'
import {
  createNavigationStore,
  type NavigationOutcome,
  type NavigationStore,
  type RouterEvents,
} from './navigationStore.ts'

export type NavigateOptions = {
  /** True to replace the current history entry. */
  readonly replace?: boolean
  /** True (the default) to scroll to the top or to the hash's element. */
  readonly scroll?: boolean
  /** Signal that cancels the navigation when it aborts. */
  readonly signal?: AbortSignal
}

export type Router = {
  push<const Given extends string>(
    href: CheckedHref<Given>,
    options?: NavigateOptions,
  ): Promise<NavigationOutcome>
  replace<const Given extends string>(
    href: CheckedHref<Given>,
    options?: NavigateOptions,
  ): Promise<NavigationOutcome>
  /** Fetches the current page again. Mounted components keep their state. */
  refresh(): Promise<NavigationOutcome>
  back(): void
  forward(): void
  /** Prefetches a page, unless that would cost too much, for example on a slow connection. */
  prefetch<const Given extends string>(href: CheckedHref<Given>): void
  on: RouterEvents['on']
}

/** Called for each navigation. Calls `decide`, now or later, to continue or cancel it. */
export type Blocker = (target: URL, decide: (goOn: boolean) => void) => void

export type ClientScreens = {
  readonly ClientErrorScreen: ComponentType<{ digest: string | undefined }>
  readonly ClientStatusScreen: ComponentType<{ status: number; isDocument: boolean }>
}

export type RouterInternals = {
  readonly router: Router
  readonly navigation: NavigationStore
  readonly blockers: Set<Blocker>
  /** Fetches the current page with a screen in place of the part that threw a signal. */
  readonly fetchScreen: (encodedPlace: string) => void
  readonly screens: {
    readonly loaded: ClientScreens | null
    load(): Promise<ClientScreens>
  }
}

function unavailable(): never {
  throw new Error(
    'The router works only in the browser. Call it in an event handler or in an effect.',
  )
}

const noRouter: Router = {
  push: unavailable,
  replace: unavailable,
  refresh: unavailable,
  back: unavailable,
  forward: unavailable,
  prefetch: unavailable,
  on: unavailable,
}

const onServer: RouterInternals = {
  router: noRouter,
  navigation: createNavigationStore(),
  blockers: new Set(),
  fetchScreen: unavailable,
  screens: { loaded: null, load: async () => unavailable() },
}

/** The router, provided by the root component. On the server, its functions throw. */
export const RouterContext = createContext(
  // `import.meta.env` is undefined outside of Vite, as in unit tests.
  import.meta.env?.SSR === false ? (null as unknown as RouterInternals) : onServer,
)

/** Returns the router, for navigations in event handlers and effects. */
export function useRouter(): Router {
  return useContext(RouterContext).router
}

const nowhere: Payload = {
  tree: { key: '' },
  route: { pathname: '/', search: '', params: {} },
  head: null,
  segments: {},
}

/** The page and the segment to which the components inside this provider belong. */
export const RenderContext = createContext<{
  readonly page: Payload
  readonly segment: PayloadSegment | null
}>({ page: nowhere, segment: null })

/** Provides a function that returns a caught value's digest, or `null` if there is no digest. */
export const DigestContext = createContext<(thrown: unknown) => Promise<string | null>>(
  async () => null,
)

export const PagesContext = createContext<readonly Payload[]>([])

/**
 * Creates a document's event emitter. A listener's error is reported, and doesn't stop the other
 * listeners.
 */
export function createRouterEvents(): RouterEvents {
  const target = new EventTarget()
  return {
    on(name, listener) {
      const onEvent = (event: Event) => listener((event as CustomEvent).detail)
      target.addEventListener(name, onEvent)
      return () => target.removeEventListener(name, onEvent)
    },
    emit: (name, detail) => void target.dispatchEvent(new CustomEvent(name, { detail })),
  }
}
