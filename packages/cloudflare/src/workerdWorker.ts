import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  encodePathname,
  type FetchHandler,
  type OpenedStores,
  type OpenStoresOptions,
  openStores,
  type ServerStores,
} from 'waymark/adapter'

/** The built app that a worker serves. */
export type WorkerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer & ServerStores
  readonly contents: BuildContents
  /** Packages with stores that the app lists. A variable such as `WAYMARK_REDIS_URL` selects one. */
  readonly stores?: OpenStoresOptions['stores']
}

/** The context that workerd passes with each request. */
export type ExecutionContext = {
  /** Keeps the worker running until the promise settles, even after the response has been sent. */
  waitUntil(work: Promise<unknown>): void
}

/** A worker, as its module exports it to workerd. */
export type Worker = {
  fetch(request: Request, bindings: FileBindings, context: ExecutionContext): Promise<Response>
}

export type FileService = { fetch(request: Request): Promise<Response> }

/** Services from which the worker reads the build's files. Clients can't reach them directly. */
export type FileBindings = {
  /** Serves the build's folder `client`. */
  readonly ASSETS: FileService
  /** Serves the build's folder `prerendered`. */
  readonly PAGES: FileService
}

/** Creates a worker that serves the build's files, and passes all other requests to the app. */
export function createWorker({ server, contents, stores }: WorkerOptions): Worker {
  let opening: Promise<OpenedStores> | null = null
  let handle: FetchHandler | null = null

  function open(bindings: FileBindings): Promise<OpenedStores> {
    removeUnsetVariables(bindings)
    const log = (line: string) => console.error(line)
    return openStores({ server, stores, env: process.env, log })
  }

  return {
    async fetch(request, bindings, context) {
      const { ASSETS, PAGES } = bindings
      opening ??= open(bindings).catch((thrown) => {
        // The next request tries again.
        opening = null
        throw thrown
      })
      // Keep the worker running if the first client leaves, because other requests wait, too.
      context.waitUntil(opening)
      const { flush } = await opening
      const services: Readonly<Record<string, FileService>> = { client: ASSETS, prerendered: PAGES }
      handle ??= createFetchHandler({
        server,
        contents,
        async read(file) {
          const [, folder = '', path = ''] = /^([^/]+)(\/.*)$/.exec(file) ?? []
          const url = new URL(encodePathname(path), 'http://files')
          const response = await services[folder]?.fetch(new Request(url))
          return response?.ok ? response.body : null
        },
      })
      const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
      // Copy the request, because workerd's own requests have immutable headers. workerd doesn't
      // validate `Host`, so the URL may be invalid.
      const changeable = URL.canParse(request.url) ? new Request(request) : request
      const response = await handle(changeable, { waitUntil })
      // Write errors to the journal now, because the worker stops timers when the request ends.
      context.waitUntil(flush())
      return response
    },
  }
}

/** workerd binds an unset variable to `null`, which `process.env` turns into the string "null". */
function removeUnsetVariables(bindings: FileBindings): void {
  for (const [name, value] of Object.entries(bindings)) {
    if (value === null) delete process.env[name]
  }
}
