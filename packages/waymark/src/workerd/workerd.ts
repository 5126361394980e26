import { unmounted } from '../shared/basePath.ts'
import { fileCacheControl } from '../shared/cacheControl.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import type { Handle, HeaderLines } from '../shared/response.ts'
import { type KnownStatus, statuses } from '../shared/statuses.ts'
import { toResponse, toServerRequest } from '../shared/web.ts'

/** The built server, and the list of files. */
export type WorkerdOptions = {
  /** Path that the app is mounted at, or empty. */
  readonly basePath?: string
  readonly handle: Handle
  /** The app's own part in starting: that of `instrumentation.ts`. Never rejects. */
  register(): Promise<void>
  /** Header lines of every response that does not come from the handler. */
  readonly defaultHeaders: HeaderLines
  /** Media types of the files for browsers, by the pathname of their URL. */
  readonly files: Readonly<Record<string, string>>
}

/** The runtime's context of a request. */
export type ExecutionContext = {
  /** Keeps what belongs to the request running until the promise settles. */
  waitUntil(work: Promise<unknown>): void
}

/** A worker, as workerd runs it. */
export type Worker = {
  fetch(request: Request, bindings: FileBindings, context: ExecutionContext): Promise<Response>
}

/** Where a worker gets its files from. */
export type FileBindings = {
  /** Serves the files for browsers, by pathname. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
}

/** Creates a worker: files first, then the handler. */
export function createWorker(options: WorkerdOptions): Worker {
  const { handle, register, basePath = '', defaultHeaders, files } = options
  let registered: Promise<void> | null = null

  async function respond(request: Request, context: ExecutionContext): Promise<Response> {
    // Not before: outside of a request, the runtime allows no I/O.
    registered ??= register()
    await registered
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
    return toResponse(await handle(toServerRequest(request, { waitUntil })), request.method)
  }

  /** Sends a file as it is: compression is left to whatever stands before the worker. */
  function fileResponse(file: Response, pathname: string, type: string): Response {
    if (!file.ok) return plainResponse(404)
    const headers = new Headers(defaultHeaders)
    headers.set('content-type', type)
    headers.set('cache-control', fileCacheControl(pathname))
    for (const name of ['content-length', 'last-modified']) {
      const value = file.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response(file.body, { headers })
  }

  return {
    async fetch(request, { ASSETS }, context) {
      const { method, url } = request
      // workerd takes any text as `Host`.
      if (!URL.canParse(url)) return plainResponse(400)
      // Without it, what lies outside of the app: no file has that name.
      const pathname = unmounted(new URL(url).pathname, basePath) ?? ''
      const type = Object.hasOwn(files, pathname) ? files[pathname] : undefined
      if (type !== undefined) {
        const isRead = method === 'GET' || method === 'HEAD'
        if (!isRead) return plainResponse(405, [['allow', 'GET, HEAD']])
        const asset = new Request(new URL(pathname, 'http://assets'), { method })
        return fileResponse(await ASSETS.fetch(asset), pathname, type)
      }
      // A page in place of a script or style would fail with a confusing error.
      if (pathname.startsWith(assetsPrefix)) return plainResponse(404)
      const response = respond(request, context)
      // An action that has begun goes on to its end, also when its client is gone.
      context.waitUntil(response.then(undefined, () => {}))
      return response
    },
  }
}

/** A response of one line, where no page responds. */
function plainResponse(status: KnownStatus, lines: HeaderLines = []): Response {
  const headers = new Headers([
    ['content-type', 'text/plain; charset=utf-8'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...lines,
  ])
  return new Response(`${status} ${statuses[status].phrase}\n`, { status, headers })
}
