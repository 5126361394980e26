import type { RequestHeaders } from '../../http/response.ts'
import { anonymousRequest } from './readRequest.ts'
import { createScope, runInScope } from './scope.ts'

/**
 * Runs code that reads a request, without a server. `cookies()`, `headers()` and cached functions
 * work as they do while a page renders.
 * @param path pathname and query, such as `/blog?page=2`
 */
export function runInRequest<Result>(
  { path, headers }: { readonly path: string; readonly headers: RequestHeaders },
  run: () => Result,
): Result {
  const { pathname, search } = new URL(path, 'http://localhost')
  const request = { ...anonymousRequest(pathname + search), headers }
  const url = { pathname, search }
  return runInScope(createScope({ request, url, phase: 'render', onAfterError: () => '' }), run)
}
