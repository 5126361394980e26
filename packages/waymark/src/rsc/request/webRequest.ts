import type { ServerRequest } from '../../shared/answer.ts'
import { isInternalHeader } from '../../shared/protocol.ts'

/**
 * The platform's form of a request, for the app's own functions: without the framework's headers,
 * which say in what form a page was asked for, and decide nothing of an app's.
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
  for (const name of [...shaped.headers.keys()]) {
    if (isInternalHeader(name)) shaped.headers.delete(name)
  }
  // A Request lets go of the signal it follows once nobody holds the Request itself, and a stream
  // that listens to its `signal` alone would never hear of the client's leaving.
  // Configurable: a Request that passed through proxy.ts comes here twice.
  return Object.defineProperty(shaped, 'signal', { get: () => request.signal, configurable: true })
}
