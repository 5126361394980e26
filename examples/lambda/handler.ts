import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  type OpenStoresOptions,
  openStores,
  type ServerStores,
} from 'waymark/adapter'

/** The parts of a function URL's event that we read, in payload format 2.0. */
export type FunctionUrlEvent = {
  readonly rawPath: string
  readonly rawQueryString: string
  /** Names are in lower case. Several lines with the same name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: {
    readonly domainName: string
    readonly http: { readonly method: string; readonly sourceIp: string }
  }
}

/** The response stream that Lambda's Node runtime passes to the handler. */
export type ResponseStream = Writable & { setContentType(type: string): void }

/** Information about an invocation, from the runtime. */
export type InvocationContext = {
  /** If false, the runtime doesn't wait for open connections, such as a connection to Redis. */
  callbackWaitsForEmptyEventLoop: boolean
  getRemainingTimeInMillis(): number
}

type StreamHandler = (
  event: FunctionUrlEvent,
  stream: ResponseStream,
  context: InvocationContext,
) => Promise<void>

/** Global that Lambda's runtime defines. */
declare const awslambda: { streamifyResponse(handler: StreamHandler): unknown }

export type FunctionOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer & ServerStores
  readonly stores: OpenStoresOptions['stores']
  readonly contents: BuildContents
  /** Folder with the build's files. */
  readonly folder: string
}

/**
 * Milliseconds that we reserve at the end of an invocation, for the end of the response and for work
 * after the response.
 */
const spareMs = 2_000

/** Creates the handler that the function exports. @throws if the environment has no secret */
export async function createHandler({ server, stores, contents, folder }: FunctionOptions) {
  const respond = createFetchHandler({
    server,
    contents,
    read: (file) => readFile(join(folder, file)).catch(() => null),
  })
  const log = (line: string) => console.error(line)
  const opened = await openStores({ server, stores, env: process.env, log })
  return awslambda.streamifyResponse(async (event, stream, context) => {
    context.callbackWaitsForEmptyEventLoop = false
    // Catch up with missed changes, because Lambda may have frozen the process since the last request.
    await opened.catchUp()
    const work: Promise<unknown>[] = []
    const { sourceIp } = event.requestContext.http
    const ending = new AbortController()
    const leftMs = Math.max(0, context.getRemainingTimeInMillis() - spareMs)
    const timer = setTimeout(() => ending.abort(), leftMs)
    const request = toRequest(event)
    const response = request
      ? await respond(request, {
          waitUntil: (each) => void work.push(each),
          remoteAddress: sourceIp,
          forwardedFor: sourceIp,
          endSignal: ending.signal,
        })
      : new Response('400 Bad Request\n', { status: 400 })
    await send(response, stream).catch((thrown: NodeJS.ErrnoException) => {
      // Don't report clients that disconnect.
      if (thrown.code !== 'ERR_STREAM_PREMATURE_CLOSE') server.reportOutside(thrown)
    })
    clearTimeout(timer)
    // Wait for work after the response, because Lambda stops the process once this function returns.
    for (const each of work) await each.catch(() => {})
    await opened.flush()
  })
}

/** @returns `null` for a request that `Request` doesn't allow, such as the method TRACE */
function toRequest(event: FunctionUrlEvent): Request | null {
  const { rawPath, rawQueryString, cookies = [], requestContext } = event
  const { method } = requestContext.http
  // Use the domain name, which Lambda sets, because the client could send any `host` header. Build the
  // URL as a string, because in `new URL()` a path such as //evil.example would replace the host.
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const url = `https://${requestContext.domainName}${rawPath}${query}`
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(event)
  try {
    const headers = new Headers(event.headers)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    return new Request(url, { method, headers, body })
  } catch {
    return null
  }
}

function bodyOf({ body, isBase64Encoded }: FunctionUrlEvent): Buffer<ArrayBuffer> | null {
  return body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

async function send(response: Response, stream: ResponseStream): Promise<void> {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  stream.setContentType('application/vnd.awslambda.http-integration-response')
  const prelude = {
    statusCode: response.status,
    headers: Object.fromEntries(headers),
    cookies: response.headers.getSetCookie(),
  }
  stream.write(JSON.stringify(prelude))
  stream.write(new Uint8Array(8))
  const body = response.body as import('node:stream/web').ReadableStream<Uint8Array> | null
  await pipeline(body ? Readable.fromWeb(body) : [], stream)
}
