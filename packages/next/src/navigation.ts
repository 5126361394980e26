import { startTransition, useMemo } from 'react'
import { trailingSlash } from 'waymark'
import {
  ActionError,
  usePathname as useOwnPathname,
  useSearchParams as useOwnSearchParams,
  useRouter as useWaymarkRouter,
  type Router as WaymarkRouter,
} from 'waymark/client'
import { ReadonlyURLSearchParams } from './readonlySearchParams.ts'

export {
  useParams,
  useSelectedLayoutSegment,
  useSelectedLayoutSegments,
  useServerInsertedHTML,
} from 'waymark/client'
export { ServerInsertedHTMLContext } from 'waymark/plugin/client'
export {
  forbidden,
  notFound,
  permanentRedirect,
  RedirectType,
  redirect,
  unauthorized,
  unstable_rethrow,
} from './signals.ts'
export { ReadonlyURLSearchParams }

/** Options for a navigation. */
export type NavigateOptions = { readonly scroll?: boolean | undefined }

/** The router, for use in event handlers and effects. */
export type AppRouterInstance = {
  push(href: string, options?: NavigateOptions): void
  replace(href: string, options?: NavigateOptions): void
  refresh(): void
  back(): void
  forward(): void
  prefetch(href: string, options?: unknown): void
}

/**
 * True if a call to a server action failed because the server runs a different build, which doesn't
 * have the action.
 */
export function unstable_isUnrecognizedActionError(error: unknown): boolean {
  return error instanceof ActionError && (error.code === 'unknown' || error.code === 'stale')
}

// Packages compare the router, and effects depend on it, so all components get the same object.
const routers = new WeakMap<WaymarkRouter, AppRouterInstance>()

/** Returns the router. */
export function useRouter(): AppRouterInstance {
  const waymarkRouter = useWaymarkRouter()
  const router = routers.get(waymarkRouter) ?? createRouter(waymarkRouter)
  routers.set(waymarkRouter, router)
  return router
}

function createRouter(waymarkRouter: WaymarkRouter): AppRouterInstance {
  // If the caller has started a transition, it stays pending until the page has loaded.
  const follow = (navigate: () => Promise<unknown>) =>
    startTransition(async () => void (await navigate()))
  const scrollOption = ({ scroll }: NavigateOptions = {}) =>
    scroll === undefined ? {} : { scroll }
  return {
    push: (href, options) => follow(() => waymarkRouter.push(href, scrollOption(options))),
    replace: (href, options) => follow(() => waymarkRouter.replace(href, scrollOption(options))),
    refresh: () => follow(() => waymarkRouter.refresh()),
    back: () => waymarkRouter.back(),
    forward: () => waymarkRouter.forward(),
    prefetch: (href) => waymarkRouter.prefetch(href),
  }
}

/**
 * Returns the current pathname without `basePath`. It ends with a slash if the app uses
 * `trailingSlash`.
 */
export function usePathname(): string {
  const pathname = useOwnPathname()
  return trailingSlash && /\/[^/.]+$/.test(pathname) ? `${pathname}/` : pathname
}

/**
 * Returns the current query. The component is also rendered again when the app changes the query
 * with the History API.
 */
export function useSearchParams(): ReadonlyURLSearchParams {
  const params = useOwnSearchParams()
  return useMemo(() => new ReadonlyURLSearchParams(params), [params])
}
