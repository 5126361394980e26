import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  encodePathname,
  type FetchHandler,
} from 'waymark/adapter'

/** A build, as the worker runs it. */
export type WorkerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer
  readonly contents: BuildContents
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

type FileService = { fetch(request: Request): Promise<Response> }

/** Where a worker gets the files of its build from. Clients reach neither service. */
export type FileBindings = {
  /** Serves the folder `client` of the build. */
  readonly ASSETS: FileService
  /** Serves the folder `prerendered` of the build. */
  readonly PAGES: FileService
}

/** Creates a worker: files first, then the handler. */
export function createWorker({ server, contents }: WorkerOptions): Worker {
  let handle: FetchHandler | null = null
  return {
    fetch(request, bindings, context) {
      const { ASSETS, PAGES } = bindings
      if (!handle) removeUnsetVariables(bindings)
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
      // workerd takes any text as `Host`, and lets nobody change the headers of what came in.
      const changeable = URL.canParse(request.url) ? new Request(request) : request
      return handle(changeable, { waitUntil })
    },
  }
}

/** workerd binds a variable that is not set to `null`, and `process.env` then has the text "null". */
function removeUnsetVariables(bindings: FileBindings): void {
  for (const [name, value] of Object.entries(bindings)) {
    if (value === null) delete process.env[name]
  }
}
