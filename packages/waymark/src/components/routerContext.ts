'use client'

import { type ComponentType, createContext, useContext } from 'react'
import type { LazyModule } from '../client/assets/lazyModule.ts'
import type { Blockers } from '../client/navigation/blockers.ts'
import type { NavigationEvents } from '../client/navigation/events.ts'
import {
  createNavigationStore,
  type NavigationOutcome,
  type NavigationStore,
} from '../client/navigation/navigation.ts'
import type { CheckedHref } from '../shared/appRoutes.ts'
import type { Payload, PayloadSegment } from '../shared/payload.ts'

/** Where and how to navigate. */
export type NavigateOptions = {
  /** Takes the place of the current history entry. */
  readonly replace?: boolean
  /** Goes to the top, or to the element of the hash; default true. */
  readonly scroll?: boolean
  /** Gives the navigation up. */
  readonly signal?: AbortSignal
}

/** Navigates from code. */
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
  /** Fetches a page ahead, unless that costs more than it is worth. */
  prefetch<const Given extends string>(href: CheckedHref<Given>): void
  /** @returns a function that ends it */
  on<Name extends keyof NavigationEvents>(
    name: Name,
    listener: (event: NavigationEvents[Name]) => void,
  ): () => void
}

/** The built-in screens, as code. */
export type ClientScreens = {
  readonly ClientErrorScreen: ComponentType<{ digest: string | undefined }>
}

/** The router with what its hooks need beside. */
export type RouterInternals = {
  readonly router: Router
  readonly navigation: NavigationStore
  readonly blockers: Pick<Blockers, 'add'>
  /** Asks for the current page with its true status, after a signal that came too late. */
  readonly settle: () => void
  /** Holds the built-in screens. */
  readonly late: LazyModule<ClientScreens>
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

/** The router of the document; while rendering on the server it can only be held. */
export const RouterContext = createContext<RouterInternals>({
  router: noRouter,
  navigation: createNavigationStore(),
  blockers: { add: () => () => {} },
  settle: unavailable,
  late: { loaded: null, load: async () => unavailable() },
})

/** The router, for navigations from event handlers and effects. */
export function useRouter(): Router {
  return useContext(RouterContext).router
}

/** Where something is rendered: in which page, and in which segment of it. */
export type RenderContext = { readonly page: Payload; readonly segment: PayloadSegment | null }

const nowhere: Payload = {
  tree: { key: '' },
  route: { pathname: '/', search: '', params: {} },
  head: null,
  segments: {},
}

/** The place that what is rendered here belongs to. */
export const RenderContextContext = createContext<RenderContext>({ page: nowhere, segment: null })

/**
 * Gives the digest of what a boundary caught; `null` when nobody can look it up. On the server,
 * boundaries catch nothing.
 */
export const DigestContext = createContext<(thrown: unknown) => Promise<string | null>>(
  async () => null,
)

/** The pages that the document holds, the shown one first; none while rendering on the server. */
export const PagesContext = createContext<readonly Payload[]>([])
