import type { BuildContents, BuildFile, CompressedFile } from '../builds/buildContents.ts'
import type { BuiltServer } from '../builds/builtServer.ts'
import {
  forOneClientIfPersonal,
  overrideLines,
  refusedResponseLines,
} from '../builds/cacheControl.ts'
import { type BuiltPage, builtNotFound } from '../builds/cachedPage.ts'
import { createHostCheck } from '../http/allowedHosts.ts'
import {
  type ConditionHeaders,
  type ConditionOutcome,
  evaluateConditions,
  type Validators,
} from '../http/conditionalRequest.ts'
import {
  chooseVariant,
  codings,
  createAcceptedEncodings,
  type Encoding,
} from '../http/contentCoding.ts'
import { canonicalPathname } from '../http/pathnames.ts'
import type {
  BodyVariant,
  CachedResponse,
  HeaderLines,
  ResponseBody,
  ServerRequest,
  StreamedBody,
} from '../http/response.ts'
import { type StatusCode, statuses } from '../http/statuses.ts'
import { rangeResponseLines, storedResponseLines } from '../http/storedResponse.ts'
import { toResponse, toServerRequest } from '../http/web.ts'
import { unmounted } from '../shared/basePath.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { assetsPrefix } from '../wire/protocol.ts'

/** The build and the host, as `createFetchHandler()` needs them. */
export type FetchHandlerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer
  /** The result of `AppBuild.contents()` for the same build. */
  readonly contents: BuildContents
  /**
   * Reads one of the build's files. Only called within a request.
   * @param file the path in `BuildFile.file`, relative to the build's folder
   * @returns `null` if the file doesn't exist
   */
  read(file: string): Promise<FileBytes | null>
  /**
   * True to send compressed files and cached pages to clients that accept them. Set it to false if
   * the host compresses responses itself, or only has the uncompressed files. Default: true.
   */
  readonly compression?: boolean
}

/** A file's bytes: all at once, or as a stream. */
export type FileBytes = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>

/** Facts about a request that the host knows and a `Request` doesn't contain. */
export type RequestHost = Pick<ServerRequest, 'waitUntil' | 'remoteAddress' | 'forwardedFor'> & {
  /**
   * Signal for hosts that limit the time of a request, to be aborted shortly before the limit.
   * Responses that normally last as long as their client stays, such as the streams of live pages
   * and of `stream()`, then end cleanly, and the clients reconnect. Other responses aren't
   * affected.
   */
  readonly endSignal?: AbortSignal | undefined
}

/** Responds to a client's request in the same way as the Node server. */
export type FetchHandler = (request: Request, host?: RequestHost) => Promise<Response>

/**
 * Creates the server for a host that uses `Request` and `Response`. It looks for files first, then
 * calls the app's handler, whose response may refer to one of the build's pages. The handler runs
 * for every page, so proxy.ts, draft mode, tags and lifetimes work as in Node.
 * @throws `ACTION_SECRET` if the environment has no secret for the build, or if a secret is too
 * short
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const { server, contents, read } = options
  // Check the secrets now. Otherwise, nobody would notice a missing secret before the first form
  // needs it.
  server.appSecrets()
  const isAllowedHost = server.allowedHosts && createHostCheck(server.allowedHosts)
  const fileOf = (pathname: string) => entryOf(contents.files, pathname)
  let registered: Promise<void> | null = null

  server.attachBuilt({
    findBuilt: (pathname) => findBuilt(contents, pathname, read),
    hasNotFound: contents.notFound !== null,
    hasFile: (pathname) => fileOf(pathname) !== undefined,
  })

  const send = createStoredSender()

  async function respond(request: Request, host: RequestHost): Promise<Response> {
    // Some hosts don't allow I/O outside of a request, so call `register` on the first request.
    registered ??= server.register()
    await registered
    const response = await server.handle(toServerRequest(request, host))
    if (host.endSignal) endWith(host.endSignal, response.body)
    const { prerendered: name, cached, headers } = response
    if (cached) return send(request, cachedBody(cached, headers, options))
    const file = name !== undefined && fileOf(name)
    if (file) return send(request, storedFile(file, 'file', options), headers)
    const page =
      name === builtNotFound
        ? contents.notFound
        : name !== undefined && entryOf(contents.pages, name)
    return page
      ? send(request, storedFile(page, 'page', options), headers)
      : toResponse(response, request.method)
  }

  return async (request, host = {}) => {
    // A host may pass on any string from the `Host` header.
    if (!URL.canParse(request.url)) return plainResponse(request, 400)
    const { origin, pathname: whole } = new URL(request.url)
    if (isAllowedHost?.(origin) === false) return refusal(request, server)
    const pathname = canonicalPathname(unmounted(whole, server.basePath) ?? '') ?? ''
    const file = fileOf(pathname)
    if (file && !server.isProxiedFile(pathname)) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      return isRead
        ? send(request, storedFile(file, 'file', options))
        : plainResponse(request, 405, ['allow', 'GET, HEAD'])
    }
    // A page in place of a script or stylesheet would cause a confusing error, so respond with a
    // plain 404.
    if (pathname.startsWith(assetsPrefix)) return plainResponse(request, 404)
    const response = respond(request, host)
    // An action that has begun must run to its end even if its client leaves, so keep the process
    // alive.
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

function entryOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function findBuilt(
  { pages, shells, builtAtMs }: BuildContents,
  pathname: string,
  read: FetchHandlerOptions['read'],
): BuiltPage | null {
  const page = entryOf(pages, pathname)
  if (page?.life) {
    return { ...page.life, renderedAtMs: builtAtMs, hasCustomCaching: page.hasCustomCaching }
  }
  const shell = entryOf(shells, pathname)
  if (!shell) return null
  const readShell = async () => {
    const body = await read(shell.file)
    if (body === null) throw new Error(`${shell.file} is missing from the build.`)
    return new Uint8Array(await new Response(body).arrayBuffer())
  }
  return { ...shell.life, renderedAtMs: builtAtMs, readShell }
}

/** A body that is stored in one or more encodings. */
type StoredBody = {
  readonly kind: 'file' | 'page'
  readonly status: number
  readonly headers: HeaderLines
  /** The body in each encoding, uncompressed first. */
  readonly variants: readonly [StoredVariant, ...StoredVariant[]]
}

type StoredVariant = {
  readonly encoding: Encoding
  readonly validators: Validators
  /** Returns the bytes, or `null` if the host doesn't have them. */
  readonly open: () => Promise<FileBytes | null>
}

function storedFile(
  file: BuildFile,
  kind: StoredBody['kind'],
  { read, compression = true }: FetchHandlerOptions,
): StoredBody {
  const { status, headers, modifiedAtMs, compressed } = file
  const variantOf = (encoding: Encoding, bytes: CompressedFile): StoredVariant => ({
    encoding,
    validators: { etag: bytes.etag, modifiedAtMs, size: bytes.size },
    open: () => read(bytes.file),
  })
  const coded = codings.flatMap(({ encoding }) => {
    const bytes = compression && encoding !== 'identity' && compressed[encoding]
    return bytes ? [variantOf(encoding, bytes)] : []
  })
  return { kind, status, headers, variants: [variantOf('identity', file), ...coded] }
}

/** Returns the body of a page that was rendered after the build. */
function cachedBody(
  { status, bodies: [plain, ...coded] }: CachedResponse,
  headers: HeaderLines,
  { compression = true }: FetchHandlerOptions,
): StoredBody {
  const variantOf = ({ encoding, etag, bytes }: BodyVariant): StoredVariant => ({
    encoding,
    validators: { etag, modifiedAtMs: Number.NaN, size: bytes.byteLength },
    // No other thread shares the bytes, so cast.
    open: async () => bytes as Uint8Array<ArrayBuffer>,
  })
  return {
    kind: 'page',
    status,
    headers: forOneClientIfPersonal(headers).filter(([, value]) => value !== ''),
    variants: [variantOf(plain), ...(compression ? coded.map(variantOf) : [])],
  }
}

/** Creates a function that sends stored bytes with the client's encoding, conditions and range. */
function createStoredSender() {
  const acceptedEncodings = createAcceptedEncodings()

  /** @param over header lines that override the header lines of the body */
  return async function send(
    request: Request,
    stored: StoredBody,
    over: HeaderLines = [],
  ): Promise<Response> {
    const { kind, status, variants } = stored
    const accepted = acceptedEncodings(request.headers.get('accept-encoding') ?? undefined)
    const { encoding, validators, open } = chooseVariant(variants, accepted)
    const lines = storedResponseLines({
      status,
      headers: stored.headers,
      encoding,
      hasVariants: variants.length > 1,
      validators,
      isDated: kind === 'file',
    })
    const personal = forOneClientIfPersonal(over)
    const outcome = outcomeOf(request, status, validators)
    if (outcome.kind === 'notModified') {
      return new Response(null, {
        status: 304,
        headers: toHeaders(overrideLines(lines.notModified, personal)),
      })
    }
    const full = overrideLines(lines.full, personal)
    if (outcome.kind === 'preconditionFailed' || outcome.kind === 'unsatisfiable') {
      const refused = outcome.kind === 'unsatisfiable' ? 416 : 412
      return plainResponse(request, refused, refusedResponseLines(full, refused, validators.size))
    }
    const isHead = request.method === 'HEAD'
    const bytes = isHead ? null : await open()
    if (bytes === null && !isHead) {
      // The host has no compressed file, so send the uncompressed one.
      if (encoding !== 'identity') {
        return send(request, { ...stored, variants: [variants[0]] }, over)
      }
      return plainResponse(request, 404)
    }
    // Without `encodeBody`, workerd would compress the bytes a second time.
    const init: ResponseInit & { readonly encodeBody: 'manual' } = {
      status,
      headers: toHeaders(full),
      encodeBody: 'manual',
    }
    if (outcome.kind !== 'range' || bytes === null) return new Response(bytes, init)
    const headers = toHeaders(rangeResponseLines(full, outcome, validators.size))
    return new Response(rangeOf(bytes, outcome), { ...init, status: 206, headers })
  }
}

// Evaluates the request's conditions, which apply only to successful responses. RFC 9110 §13.2.1
function outcomeOf(
  { method, headers }: Request,
  status: number,
  validators: Validators,
): ConditionOutcome {
  if (status !== 200) return { kind: 'full' }
  const conditions: ConditionHeaders = {
    'if-match': headers.get('if-match') ?? undefined,
    'if-none-match': headers.get('if-none-match') ?? undefined,
    'if-modified-since': headers.get('if-modified-since') ?? undefined,
    'if-unmodified-since': headers.get('if-unmodified-since') ?? undefined,
    'if-range': headers.get('if-range') ?? undefined,
    range: headers.get('range') ?? undefined,
  }
  return evaluateConditions(method, conditions, validators)
}

type ByteRange = { readonly first: number; readonly last: number }

function rangeOf(bytes: FileBytes, range: ByteRange): FileBytes {
  const { first, last } = range
  return bytes instanceof Uint8Array ? bytes.subarray(first, last + 1) : sliceStream(bytes, range)
}

function sliceStream(
  stream: ReadableStream<Uint8Array>,
  { first, last }: ByteRange,
): ReadableStream<Uint8Array> {
  let position = 0
  const slice: Transformer<Uint8Array, Uint8Array> = {
    transform(piece, controller) {
      const start = Math.max(0, first - position)
      const end = Math.min(piece.byteLength, last + 1 - position)
      position += piece.byteLength
      if (start < end) controller.enqueue(piece.subarray(start, end))
      // After the range's last byte, stop, and thereby cancel reading the rest of the file.
      if (position > last) controller.terminate()
    },
  }
  return stream.pipeThrough(new TransformStream(slice))
}

/** Creates headers from raw lines. @param raw name, value, name, value */
function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}

/** Refuses a request for a host that the app doesn't list, before any app code runs. */
function refusal(request: Request, { screen }: BuiltServer): Response {
  const { headers } = request
  if (!/html|json/.test(headers.get('accept') ?? '')) return plainResponse(request, 400)
  return textResponse(request, 400, screen(400, headers))
}

/**
 * Returns a response with one line of text, for cases in which no page responds.
 * @param lines raw header lines
 */
function plainResponse(
  request: Request,
  status: StatusCode,
  lines: readonly string[] = [],
): Response {
  const text = `${status} ${statuses[status].phrase}\n`
  return textResponse(request, status, { type: 'text/plain; charset=utf-8', text }, lines)
}

function textResponse(
  { method }: Request,
  status: number,
  { type, text }: ReturnType<BuiltServer['screen']>,
  lines: readonly string[] = [],
): Response {
  const bytes = new TextEncoder().encode(text)
  const length = String(bytes.byteLength)
  const content = ['content-type', type, 'cache-control', 'no-store', 'content-length', length]
  const headers = toHeaders([...lines, ...content, 'x-content-type-options', 'nosniff'])
  return new Response(method === 'HEAD' ? null : bytes, { status, headers })
}
