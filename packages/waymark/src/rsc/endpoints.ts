import type { Endpoint } from '../http/endpoint.ts'
import type { HandlerResponse, ServerRequest } from '../http/response.ts'
import { withoutBasePath } from '../shared/basePath.ts'
import { internalPrefix } from '../wire/protocol.ts'
import { thrownResponse } from './errors/screenResponse.ts'
import type { HandlerApp } from './handlerApp.ts'
import { withAfterTasks } from './request/after.ts'
import { dependsOnRequest } from './request/requestDependence.ts'
import { createScope, responseHeaders, runInScope } from './request/scope.ts'
import { withCachePolicy } from './security/cachePolicy.ts'
import { securedResponse } from './security/csp.ts'

/** Finds the endpoint for the path of a request. */
export function findEndpoint(
  request: ServerRequest,
  endpoints: readonly Endpoint[],
): Endpoint | undefined {
  const target = withoutBasePath(request.target)
  if (!target?.startsWith(internalPrefix)) return undefined
  const [pathname] = target.split('?', 1)
  return endpoints.find(({ path }) => path === pathname)
}

/** Calls an endpoint. @returns `null` if the endpoint leaves the response to the app */
export async function respondByEndpoint(
  request: ServerRequest,
  endpoint: Endpoint,
  app: HandlerApp,
): Promise<HandlerResponse | null> {
  const { report, buildId, cache, readCached, drafts, users, theme, screens, security } = app
  const { observer } = app
  const queryAt = request.target.indexOf('?')
  const search = queryAt === -1 ? '' : request.target.slice(queryAt)
  const occurrence = { request, phase: 'route-handler', kind: 'document' } as const
  const scope = createScope({
    request,
    phase: 'route-handler',
    url: { pathname: endpoint.path, search },
    theme: theme.config,
    cache,
    readCached,
    drafts,
    users,
    observer,
    onAfterError: (thrown) => report(thrown, occurrence),
  })
  return runInScope(scope, async () => {
    let response: HandlerResponse | null
    try {
      response = await endpoint.handle(request)
    } catch (thrown) {
      const options = { ...occurrence, theme: theme.config, screens, report, buildId }
      response = thrownResponse(thrown, options)
    }
    if (response === null) return null
    const finished = withCachePolicy(response, responseHeaders(scope), {
      method: request.method,
      kind: 'document',
      isDraft: scope.context.isDraft,
      isPerRequest: dependsOnRequest(scope),
      isWrittenByApp: true,
    })
    return withAfterTasks(securedResponse(finished, security, null), scope)
  })
}
