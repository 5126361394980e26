import type { ServerRequest } from '../../shared/answer.ts'

/**
 * The platform's form of a request, for the app's own functions.
 * @param shape what it shall have in place of what was sent; `source` holds the body
 */
export function toWebRequest(
  request: ServerRequest,
  shape: { readonly target?: string; readonly source?: Request; readonly headers?: Headers } = {},
): Request {
  const { target = request.target, source = request.toRequest(), headers } = shape
  const url = request.origin + target
  const isSame = target === request.target && shape.source === undefined
  const web = isSame ? source : new Request(url, source)
  const shaped = headers ? new Request(web, { headers }) : web
  // A Request lets go of the signal it follows once nobody holds the Request itself, and a stream
  // that listens to its `signal` alone would never hear of the client's leaving.
  // Configurable: a Request that passed through proxy.ts comes here twice.
  return Object.defineProperty(shaped, 'signal', { get: () => request.signal, configurable: true })
}
