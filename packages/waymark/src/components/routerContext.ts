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
  /** Takes the place of the current history entry. */
  readonly replace?: boolean
  /** Goes to the top, or to the element of the hash; default true. */
  readonly scroll?: boolean
  /** Gives the navigation up. */
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
  /** Fetches the current page again; mounted state stays. */
  refresh(): Promise<NavigationOutcome>
  back(): void
  forward(): void
  /** Prefetches a page, unless that costs more than it is worth. */
  prefetch<const Given extends string>(href: CheckedHref<Given>): void
  on: RouterEvents['on']
}

/** Is called for each navigation with the function that lets it go on, or gives it up. */
export type Blocker = (target: URL, decide: (goOn: boolean) => void) => void

export type ClientScreens = {
  readonly ClientErrorScreen: ComponentType<{ digest: string | undefined }>
  readonly ClientStatusScreen: ComponentType<{ status: number; isDocument: boolean }>
}

export type RouterInternals = {
  readonly router: Router
  readonly navigation: NavigationStore
  readonly blockers: Set<Blocker>
  /** Fetches the current page with a screen in the place that threw a signal. */
  readonly fetchScreen: (encodedPlace: string) => void
  readonly screens: {
    readonly loaded: ClientScreens | null
    load(): Promise<ClientScreens>
  }
}

function unavailable(): never {
  throw new Error('The router works in the browser: call it in an event handler or an effect.')
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

/** The router of the document, given to all by the root; on the server none of it can be called. */
export const RouterContext = createContext(
  // Outside of Vite, as in a unit test, there is no `import.meta.env`.
  import.meta.env?.SSR === false ? (null as unknown as RouterInternals) : onServer,
)

/** The router, for navigations from event handlers and effects. */
export function useRouter(): Router {
  return useContext(RouterContext).router
}

const nowhere: Payload = {
  tree: { key: '' },
  route: { pathname: '/', search: '', params: {} },
  head: null,
  segments: {},
}

/** The page, and the segment of it, that what is rendered here belongs to. */
export const RenderContext = createContext<{
  readonly page: Payload
  readonly segment: PayloadSegment | null
}>({ page: nowhere, segment: null })

/** Gives the digest of what a boundary caught; `null` when it can't be looked up. */
export const DigestContext = createContext<(thrown: unknown) => Promise<string | null>>(
  async () => null,
)

export const PagesContext = createContext<readonly Payload[]>([])

/** Creates the events of a document. A listener that throws is reported, and stops no other. */
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
