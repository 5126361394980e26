import { createDependencyTracker } from '../cache/cacheLife.ts'
import type { ServerRequest } from '../http/response.ts'
import { freshHeader, nonceHeader } from '../wire/protocol.ts'
import type { HandlerApp, HandlerMode } from './handlerApp.ts'
import { occurrenceOf } from './request/exchange.ts'
import { isCall } from './request/otherPages.ts'
import type { PageTarget } from './request/readRequest.ts'
import { createScope, type RequestScope } from './request/scope.ts'
import { parseNonce } from './security/csp.ts'

/** Creates the scope in which app code finds its request. */
export function createRequestScope(
  request: ServerRequest,
  address: PageTarget,
  app: HandlerApp,
  mode: HandlerMode,
): RequestScope {
  const { pathname, search } = address
  const scope: RequestScope = createScope({
    request,
    phase: mode.phase,
    onDynamic: mode.onDynamic,
    life:
      mode.life ?? (app.followPage && createDependencyTracker(!request.headers.has(freshHeader))),
    url: { pathname, search },
    theme: app.theme.config,
    locale: () =>
      app.screens.localeOf({ request, pathname, isPrerender: scope.phase === 'prerender' }),
    cache: app.cache,
    readCached: app.readCached,
    drafts: app.drafts,
    users: app.users,
    observer: app.observer,
    createNonce: nonceOf(request, address, app, mode),
    onAfterError: (thrown) => app.report(thrown, occurrenceOf({ address, scope })),
  })
  return scope
}

/**
 * Returns the nonce for a response: a new one for a document, and the requesting document's nonce
 * for page data.
 */
function nonceOf(
  request: ServerRequest,
  { kind }: PageTarget,
  { security }: HandlerApp,
  { phase }: HandlerMode,
): (() => string | undefined) | undefined {
  if (security.policy === null) return undefined
  if (kind === 'document' && !isCall(request)) return security.createNonce
  // Prerendered page data is the same for everybody and is used in any document, so it has no
  // nonce.
  return phase === 'prerender' ? undefined : () => parseNonce(request.headers.get(nonceHeader))
}
