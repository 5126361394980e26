import type { Handle, HeaderLines } from '../shared/answer.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import { toResponse, toServerRequest } from '../shared/web.ts'

/** What a worker is made of: the built server, and which files there are. */
export type WorkerParts = {
  readonly handle: Handle
  /** Lines of every answer that the handler is not asked for. */
  readonly defaultHeaders: HeaderLines
  /** Media types of the files for browsers, by the pathname of their URL. */
  readonly files: Readonly<Record<string, string>>
}

/** What the runtime gives a worker. */
export type WorkerBindings = {
  /** Serves the files for browsers, by pathname. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
}

/** A worker, as workerd runs it. */
export type Worker = {
  fetch(request: Request, bindings: WorkerBindings): Promise<Response>
}

const immutable = 'public, max-age=31536000, immutable'
const revalidated = 'public, max-age=0, must-revalidate'

/** Makes a worker: files first, then the handler. */
export function createWorker({ handle, defaultHeaders, files }: WorkerParts): Worker {
  return {
    async fetch(request, bindings) {
      const { pathname } = new URL(request.url)
      const type = Object.hasOwn(files, pathname) ? files[pathname] : undefined
      if (type !== undefined) return file(request, bindings, { pathname, type, defaultHeaders })
      // A page in place of a script or style would fail in a way that nobody can read.
      if (pathname.startsWith(assetsPrefix)) return plain(404, 'Not Found')
      return toResponse(await handle(toServerRequest(request)), request.method)
    },
  }
}

async function file(
  request: Request,
  { ASSETS }: WorkerBindings,
  {
    pathname,
    type,
    defaultHeaders,
  }: { pathname: string; type: string } & Pick<WorkerParts, 'defaultHeaders'>,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, 'Method Not Allowed', [['allow', 'GET, HEAD']])
  }
  const found = await ASSETS.fetch(
    new Request(new URL(pathname, 'http://assets'), { method: request.method }),
  )
  if (!found.ok) return plain(404, 'Not Found')
  const headers = new Headers(defaultHeaders)
  headers.set('content-type', type)
  headers.set('cache-control', pathname.startsWith(assetsPrefix) ? immutable : revalidated)
  const length = found.headers.get('content-length')
  if (length !== null) headers.set('content-length', length)
  return new Response(found.body, { headers })
}

function plain(status: number, reason: string, lines: HeaderLines = []): Response {
  const headers = new Headers([['cache-control', 'no-store'], ...lines])
  return new Response(`${status} ${reason}\n`, { status, headers })
}
