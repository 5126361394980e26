import type { BuildContents, BuildFile } from '../builds/buildContents.ts'
import type { BuiltServer } from '../builds/builtServer.ts'
import { forOneClientIfPersonal, overrideLines } from '../builds/cacheControl.ts'
import { type BuiltPage, builtNotFound } from '../builds/cachedPage.ts'
import { createHostCheck } from '../http/allowedHosts.ts'
import {
  type ConditionHeaders,
  evaluateConditions,
  notModifiedNames,
} from '../http/conditionalRequest.ts'
import { canonicalPathname } from '../http/pathnames.ts'
import type {
  HandlerResponse,
  HeaderLines,
  ResponseBody,
  ServerRequest,
  StreamedBody,
} from '../http/response.ts'
import { toResponse, toServerRequest } from '../http/web.ts'
import { unmounted } from '../shared/basePath.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { assetsPrefix } from '../wire/protocol.ts'

export type FetchHandlerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer
  /** Of the same build, as `AppBuild.contents()` has returned it. */
  readonly contents: BuildContents
  /**
   * Reads the bytes of a file of the build. Called within a request only.
   * @param file path from the build's folder, as `BuildFile.file` has it
   * @returns `null` without the file
   */
  read(file: string): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null>
}

/** Facts about a request that the host knows and the `Request` does not have. */
export type RequestHost = Pick<ServerRequest, 'waitUntil' | 'remoteAddress' | 'forwardedFor'> & {
  /**
   * For hosts that limit the time of a request. Abort the signal shortly before the limit: responses
   * that last as long as their client stays, of live pages and `stream()`, then end in order, and
   * their client comes back. Other responses are not affected.
   */
  readonly endSignal?: AbortSignal | undefined
}

/** Responds to a request of a client, as the server for Node does. */
export type FetchHandler = (request: Request, host?: RequestHost) => Promise<Response>

/**
 * Creates the server of a host that has `Request` and `Response`: files first, then the app's
 * handler, whose responses may name a page of the build. The handler is asked for every page, so
 * that proxy.ts, drafts, tags and lifetimes count as in Node.
 * @throws `ACTION_SECRET` when the environment has no secret for the build, or one that is too short
 */
export function createFetchHandler({ server, contents, read }: FetchHandlerOptions): FetchHandler {
  // Else only the first form whose action needs them would fail.
  server.appSecrets()
  const isAllowedHost = server.allowedHosts && createHostCheck(server.allowedHosts)
  const fileOf = (pathname: string) => ownValue(contents.files, pathname)
  let registered: Promise<void> | null = null

  server.attachBuilt({
    findBuilt: (pathname) => findBuilt(contents, pathname, read),
    hasNotFound: contents.notFound !== null,
    hasFile: (pathname) => fileOf(pathname) !== undefined,
  })

  async function send(
    file: BuildFile,
    lines: HeaderLines,
    request: Request,
    over: HeaderLines = [],
  ): Promise<Response> {
    const headers = toHeaders(overrideLines(lines.flat(), forOneClientIfPersonal(over)))
    const outcome = file.status === 200 ? outcomeOf(request, file) : 'full'
    if (outcome !== 'full') return conditionalResponse(outcome, headers)
    const body = request.method === 'HEAD' ? null : await read(file.file)
    if (body === null && request.method !== 'HEAD') return plainResponse(404)
    return new Response(body, { status: file.status, headers })
  }

  async function respond(request: Request, host: RequestHost): Promise<Response> {
    // Not before the first request: some hosts allow no I/O outside of one.
    registered ??= server.register()
    await registered
    const response = await server.handle(toServerRequest(request, host))
    if (host.endSignal) endWith(host.endSignal, response.body)
    const { prerendered: name, cached, headers } = response
    if (cached) return sendCached(response, request)
    const file = name !== undefined && fileOf(name)
    if (file) return send(file, fileLines(file), request, headers)
    const page =
      name === builtNotFound
        ? contents.notFound
        : name !== undefined && ownValue(contents.pages, name)
    return page
      ? send(page, pageLines(page), request, headers)
      : toResponse(response, request.method)
  }

  return async (request, host = {}) => {
    // A host may pass on any text as `Host`.
    if (!URL.canParse(request.url)) return plainResponse(400)
    const { origin, pathname: whole } = new URL(request.url)
    if (isAllowedHost?.(origin) === false) return refusal(request, server)
    const pathname = canonicalPathname(unmounted(whole, server.basePath) ?? '') ?? ''
    const file = fileOf(pathname)
    if (file && !server.isProxiedFile(pathname)) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      return isRead
        ? send(file, fileLines(file), request)
        : plainResponse(405, [['allow', 'GET, HEAD']])
    }
    // A page in place of a script or style would fail with a confusing error.
    if (pathname.startsWith(assetsPrefix)) return plainResponse(404)
    const response = respond(request, host)
    // An action that has begun runs to its end, also when its client leaves.
    host.waitUntil?.(response.then(undefined, () => {}))
    return response
  }
}

function endWith(signal: AbortSignal, body: ResponseBody): void {
  const end = (body as StreamedBody | null)?.end
  if (!end) return
  if (signal.aborted) end()
  else signal.addEventListener('abort', neverThrows(end, undefined), { once: true })
}

function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function findBuilt(
  { pages, shells, builtAtMs }: BuildContents,
  pathname: string,
  read: FetchHandlerOptions['read'],
): BuiltPage | null {
  const page = ownValue(pages, pathname)
  if (page?.life) {
    return { ...page.life, renderedAtMs: builtAtMs, hasOwnCaching: page.hasOwnCaching }
  }
  const shell = ownValue(shells, pathname)
  if (!shell) return null
  const readShell = async () => {
    const body = await read(shell.file)
    if (body === null) throw new Error(`${shell.file} is missing from the build.`)
    return new Uint8Array(await new Response(body).arrayBuffer())
  }
  return { ...shell.life, renderedAtMs: builtAtMs, readShell }
}

function pageLines({ headers, etag, size, status }: BuildFile): HeaderLines {
  const validators: HeaderLines = status === 200 ? [['etag', etag]] : []
  return [...headers, ...validators, ['content-length', String(size)]]
}

function fileLines(file: BuildFile): HeaderLines {
  return [...pageLines(file), ['last-modified', new Date(file.modifiedAtMs).toUTCString()]]
}

/** Sends a page that was rendered after the build. */
function sendCached(response: HandlerResponse, request: Request): Response {
  const [plain] = response.cached?.bodies ?? []
  if (!plain || response.status !== 200) return toResponse(response, request.method)
  const lines = forOneClientIfPersonal([...response.headers, ['etag', plain.etag]])
  const headers = lines.filter(([, value]) => value !== '')
  const validators = { etag: plain.etag, modifiedAtMs: 0, size: plain.bytes.byteLength }
  const outcome = outcomeOf(request, validators)
  if (outcome !== 'full') return conditionalResponse(outcome, toHeaders(headers.flat()))
  return toResponse({ ...response, headers }, request.method)
}

type Outcome = 'full' | 'notModified' | 'preconditionFailed'

// Ranges are ignored, as RFC 9110 §14.2 allows.
function outcomeOf(
  { method, headers }: Request,
  validators: Parameters<typeof evaluateConditions>[2],
): Outcome {
  const named: ConditionHeaders = {
    'if-match': headers.get('if-match') ?? undefined,
    'if-none-match': headers.get('if-none-match') ?? undefined,
    'if-modified-since': headers.get('if-modified-since') ?? undefined,
    'if-unmodified-since': headers.get('if-unmodified-since') ?? undefined,
  }
  const { kind } = evaluateConditions(method, named, validators)
  return kind === 'notModified' || kind === 'preconditionFailed' ? kind : 'full'
}

function conditionalResponse(outcome: Exclude<Outcome, 'full'>, headers: Headers): Response {
  if (outcome === 'preconditionFailed') return plainResponse(412)
  const repeated = [...headers].filter(
    ([name]) => notModifiedNames.has(name) || name === 'etag' || name === 'set-cookie',
  )
  return new Response(null, { status: 304, headers: repeated })
}

/** @param raw name, value, name, value */
function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}

/** Responds to a request for a host that the app does not name, before anything of the app runs. */
function refusal({ headers, method }: Request, { screen }: BuiltServer): Response {
  const response = plainResponse(400)
  if (!/html|json/.test(headers.get('accept') ?? '')) return response
  const { type, text } = screen(400, headers)
  response.headers.set('content-type', type)
  return new Response(method === 'HEAD' ? null : text, { status: 400, headers: response.headers })
}

const phrases = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
} as const

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
