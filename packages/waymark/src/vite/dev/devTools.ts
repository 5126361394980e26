import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HandlerResponse } from '../../http/response.ts'
import { packageHints, packageNotListed } from '../../node/packageHints.ts'
import { frameworkError } from '../../shared/errors.ts'
import { actionHeader, pagePathnameOf, prefetchHeader } from '../../wire/protocol.ts'
import { matchesReservedPath, reservedPaths } from '../../wire/reservedPaths.ts'
import { loadHeader, parseLoad, type TracedEvent, withoutValues } from '../../wire/trace.ts'
import type { ListedPackage } from '../config/definePackage.ts'
import { plainText } from './errorPage.ts'
import type { ExplanationRule } from './explainError.ts'
import type { InspectedServer } from './inspectedServer.ts'

/** A request that the dev server received. */
export type ReceivedRequest = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Path and query, percent-encoded. */
  readonly target: string
  /**
   * Writes a response.
   *
   * @returns a promise that resolves when the response has been sent, and rejects if its body
   *   failed
   */
  send(response: HandlerResponse): Promise<void>
}

/** A request to which the app responds. */
export type AppRequest = ReceivedRequest & {
  readonly kind: 'document' | 'data' | 'prefetch' | 'action'
  /** Target without the values in its query: `/search?q=…`. */
  readonly maskedTarget: string
  /**
   * Id of the page load for which a browser sent the request: 4 to 40 letters, digits, `-` or `_`.
   * `null` if it is missing or invalid. Any client can send any id.
   */
  readonly load: string | null
}

/** A tool's functions, which the dev server calls. Implement only those that the tool needs. */
export type Devtools = {
  /** Receives each event of the server, for example while it renders a page. */
  record?(event: TracedEvent): void
  /** Middleware that runs after Vite's host check, before modules and the app are served. */
  middleware?(req: IncomingMessage, res: ServerResponse, next: () => void): void
  /** Changes a document for a browser on this machine, for example to add a script. */
  transformDocument?(document: HandlerResponse): HandlerResponse
  /**
   * Responds to the tool's URLs, below `/_waymark/`. Any client that can reach the dev server can
   * send such a request, so pass `req` to `refuseOtherClients` first.
   * @param request its `target` excludes the base path
   * @returns false for any other URL
   */
  handle?(request: ReceivedRequest): Promise<boolean>
  /**
   * Runs a request to the app and sends its response.
   * @param request its `target` includes the base path
   */
  follow?(request: AppRequest, respond: () => Promise<HandlerResponse>): Promise<void>
}

/**
 * Tools that a package adds to the dev server, exported by the `devtools` module in
 * `definePackage()`.
 */
export type DevtoolsPackage = {
  /**
   * Called once, when the dev server starts.
   *
   * @param options options of the package
   */
  createDevtools(server: InspectedServer, options: object): Devtools
  /** Rules for messages in the overlay and the terminal, which run after Waymark's own. */
  readonly explanations?: readonly ExplanationRule[]
}

/** Devtools with the options of their package. */
type LoadedDevtools = {
  readonly explanations: readonly ExplanationRule[]
  create(server: InspectedServer): Required<Devtools>
}

/**
 * Loads the devtools of the package that provides them.
 *
 * @param packages packages that the configuration lists. If none has devtools, the devtools URLs
 * say which package to list
 * @throws `PACKAGE_HOOK_CONFLICT`
 */
export async function loadDevtools(packages: readonly ListedPackage[]): Promise<LoadedDevtools> {
  const [first, second] = packages.filter(({ devtools }) => devtools)
  if (first && second) {
    const names = [first.name, second.name]
    throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook: 'devtools', names })
  }
  if (!first?.devtools) return { create: () => missing, explanations: [] }
  const { module, name } = first.devtools
  const { createDevtools, explanations = [] } = (await import(module.href))[name] as DevtoolsPackage
  return {
    explanations,
    create: (server) => ({ ...passive, ...createDevtools(server, first.options ?? {}) }),
  }
}

/** Defaults for the functions that a tool leaves out. */
const passive: Required<Devtools> = {
  record() {},
  middleware: (_, __, next) => next(),
  transformDocument: (document) => document,
  handle: async () => false,
  follow: async ({ send }, respond) => send(await respond()),
}

const missing: Required<Devtools> = {
  ...passive,
  async handle({ target, send }) {
    const [pathname = ''] = target.split('?', 1)
    const isOfDevtools = devtoolsPaths.some(
      (reserved) => matchesReservedPath(reserved, pathname) || pathname.startsWith(`${reserved}/`),
    )
    if (!isOfDevtools) return false
    const hint = packageHints.options.devtools
    const neededFor = 'This page of the dev server'
    const { message } = packageNotListed(neededFor, hint, { isBuilt: false })
    await send(plainText(501, message))
    return true
  },
}

const devtoolsPaths = [
  reservedPaths.devtools,
  reservedPaths.mcp,
  reservedPaths.events,
  `${reservedPaths.dev}errors`,
]

/**
 * Describes what a request is for.
 * @param path target without the base path
 */
export function describeRequest(
  req: Pick<IncomingMessage, 'method' | 'headers'>,
  { path, target }: { readonly path: string; readonly target: string },
): Pick<AppRequest, 'kind' | 'maskedTarget' | 'load'> {
  const kind = kindOf(req, path)
  return { kind, maskedTarget: withoutValues(target), load: parseLoad(req.headers[loadHeader]) }
}

function kindOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
): AppRequest['kind'] {
  if (method === 'POST' || headers[actionHeader] !== undefined) return 'action'
  if (headers[prefetchHeader] !== undefined) return 'prefetch'
  return pagePathnameOf(path.split('?', 1)[0] ?? '') === null ? 'document' : 'data'
}
