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

/** How to navigate. */
export type NavigateOptions = { readonly scroll?: boolean | undefined }

/** Navigates from event handlers and effects. */
export type AppRouterInstance = {
  push(href: string, options?: NavigateOptions): void
  replace(href: string, options?: NavigateOptions): void
  refresh(): void
  back(): void
  forward(): void
  prefetch(href: string, options?: unknown): void
}

/** Tells whether a call failed because the server's build does not know its action. */
export function unstable_isUnrecognizedActionError(error: unknown): boolean {
  return error instanceof ActionError && (error.code === 'unknown' || error.code === 'stale')
}

// The same object for every component: packages compare it, and effects depend on it.
const routers = new WeakMap<WaymarkRouter, AppRouterInstance>()

/** The router of the document. */
export function useRouter(): AppRouterInstance {
  const waymarkRouter = useWaymarkRouter()
  const router = routers.get(waymarkRouter) ?? createRouter(waymarkRouter)
  routers.set(waymarkRouter, router)
  return router
}

function createRouter(waymarkRouter: WaymarkRouter): AppRouterInstance {
  // Within a transition of the caller's, it is pending until the page is there.
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

/** The pathname of the page shown, without `basePath`; with the slash that its URL ends with. */
export function usePathname(): string {
  const pathname = useOwnPathname()
  return trailingSlash && /\/[^/.]+$/.test(pathname) ? `${pathname}/` : pathname
}

/** The query of the page shown; it follows what the app writes to the history. */
export function useSearchParams(): ReadonlyURLSearchParams {
  const params = useOwnSearchParams()
  return useMemo(() => new ReadonlyURLSearchParams(params), [params])
}
