import {
  assetsPrefix,
  type BuiltServer,
  createHostCheck,
  fileCacheControl,
  type HeaderLines,
  toResponse,
  toServerRequest,
  unmounted,
} from 'waymark/adapter'

/** The built server, and the list of files. */
export type WorkerOptions = Omit<
  BuiltServer,
  'basePath' | 'trailingSlash' | 'allowedHosts' | 'screen'
> & {
  readonly basePath?: string
  /** Hosts that the app responds under. Default: every host. */
  readonly allowedHosts?: readonly string[] | null
  /** Builds the body of a refusal. Default: plain text. */
  readonly screen?: BuiltServer['screen']
  /** Tells which files the handler sees first: it names them in its response. Default: none. */
  readonly isProxied?: (pathname: string) => boolean
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
export function createWorker(options: WorkerOptions): Worker {
  const { handle, register, basePath = '', defaultHeaders, files } = options
  const { isProxied = () => false } = options
  const isAllowedHost = options.allowedHosts ? createHostCheck(options.allowedHosts) : null
  let registered: Promise<void> | null = null

  async function respond(
    request: Request,
    context: ExecutionContext,
    assets: FileBindings['ASSETS'],
  ): Promise<Response> {
    // Not before: outside of a request, the runtime allows no I/O.
    registered ??= register()
    await registered
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
    // The runtime lets nobody change the headers of what came in, and the app gets them without the framework's.
    const mutable = new Request(request)
    const response = await handle(toServerRequest(mutable, { waitUntil }))
    const { prerendered: pathname = '', headers } = response
    const type = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    if (type === undefined) return toResponse(response, request.method)
    const file = await fetchFile(assets, { pathname, type, method: request.method })
    for (const [name, value] of headers) {
      if (name === 'set-cookie') file.headers.append(name, value)
      else file.headers.set(name, value)
    }
    return file
  }

  async function fetchFile(
    assets: FileBindings['ASSETS'],
    { pathname, type, method }: Readonly<Record<'pathname' | 'type' | 'method', string>>,
  ): Promise<Response> {
    const asset = new Request(new URL(pathname, 'http://assets'), { method })
    return fileResponse(await assets.fetch(asset), { pathname, type, defaultHeaders })
  }

  return {
    async fetch(request, { ASSETS }, context) {
      const { method, url } = request
      // workerd takes any text as `Host`.
      if (!URL.canParse(url)) return plainResponse(400)
      // Without it, what lies outside of the app: no file has that name.
      const { origin, pathname: whole } = new URL(url)
      if (isAllowedHost?.(origin) === false) return refusal(request, options.screen)
      const pathname = unmounted(whole, basePath) ?? ''
      const type = Object.hasOwn(files, pathname) ? files[pathname] : undefined
      if (type !== undefined && !isProxied(pathname)) {
        const isRead = method === 'GET' || method === 'HEAD'
        if (!isRead) return plainResponse(405, [['allow', 'GET, HEAD']])
        return fetchFile(ASSETS, { pathname, type, method })
      }
      // A page in place of a script or style would fail with a confusing error.
      if (pathname.startsWith(assetsPrefix)) return plainResponse(404)
      const response = respond(request, context, ASSETS)
      // An action that has begun goes on to its end, also when its client is gone.
      context.waitUntil(response.then(undefined, () => {}))
      return response
    },
  }
}

const phrases = { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' } as const

/** Sends a file as it is: compression is left to whatever stands before the worker. */
function fileResponse(
  file: Response,
  {
    pathname,
    type,
    defaultHeaders,
  }: { pathname: string; type: string; defaultHeaders: HeaderLines },
): Response {
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

/** Responds to a request for a host of which the app is none, before anything of the app runs. */
function refusal({ headers, method }: Request, screen: WorkerOptions['screen']): Response {
  if (!screen || !/html|json/.test(headers.get('accept') ?? '')) return plainResponse(400)
  const { type, text } = screen(400, headers)
  const response = plainResponse(400)
  response.headers.set('content-type', type)
  return new Response(method === 'HEAD' ? null : text, { status: 400, headers: response.headers })
}

/** A response of one line, where no page responds. */
function plainResponse(status: keyof typeof phrases, lines: HeaderLines = []): Response {
  const headers = new Headers([
    ['content-type', 'text/plain; charset=utf-8'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...lines,
  ])
  return new Response(`${status} ${phrases[status]}\n`, { status, headers })
}
