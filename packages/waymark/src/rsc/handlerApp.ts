import type { DependencyTracker } from '../cache/cacheLife.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Matcher } from '../routing/match.ts'
import type { RouteUrls } from '../routing/routeUrls.ts'
import type { ActionApp } from './action/authorize.ts'
import type { IsCredential } from './action/credentials.ts'
import type { DocumentLimit } from './page/documentLimit.ts'
import type { AppVariants } from './page/pageVariants.ts'
import type { PageCache } from './pageCache/pageCache.ts'
import type { IsListed } from './prerender/plan.ts'
import type { AppProxy } from './proxy/proxy.ts'
import type { Drafts } from './request/draftMode.ts'
import type { ServerObserver } from './request/serverObserver.ts'
import type { AppAround } from './serverOptions.ts'

export type HandlerApp = ActionApp & {
  readonly matcher: Matcher
  /** URLs of pages that differ from their folders; `null` if no package has any. */
  readonly routeUrls: RouteUrls | null
  readonly isListed: IsListed
  readonly pageCache: PageCache
  /** True if the build rendered a document for URLs without a route. */
  readonly hasBuiltNotFound: () => boolean
  /** True if a pathname belongs to a file, which the server sends as the response. */
  readonly hasFile: (pathname: string) => boolean
  /**
   * True if a route intercepts the pathname, so that a navigation inside the app may show a
   * different page there.
   */
  readonly isIntercepted: (pathname: string) => boolean
  /** `null` if the app has no variants, and in development. */
  readonly variants: AppVariants | null
  readonly drafts: Drafts
  readonly proxy: AppProxy | null
  readonly documentLimit: DocumentLimit | null
  readonly around: AppAround | null
  /** Follows requests; `null` if no package does. */
  readonly observer: ServerObserver | null
  /** True for the name of a cookie that may identify the user. */
  readonly isCredential: IsCredential
  /** Endpoints of the framework and its packages. */
  readonly endpoints: readonly Endpoint[]
}

export type HandlerMode = {
  readonly phase: 'render' | 'prerender'
  /** Called when the response first depends on data of the request. */
  readonly onDynamic?: (reason: string, stack?: string) => void
  readonly life?: DependencyTracker
}
