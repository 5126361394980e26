import type { ServerRequest } from '../../shared/answer.ts'

/** A request of nobody: whatever is read of it must be the same for everyone. */
export function anonymousRequest(target: string): ServerRequest {
  const request: ServerRequest = {
    method: 'GET',
    target,
    origin: 'http://localhost',
    headers: new Headers(),
    signal: new AbortController().signal,
    toRequest: () => new Request(request.origin + target),
  }
  return request
}
