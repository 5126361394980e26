import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BuildContents, type BuiltServer, createFetchHandler } from 'waymark/adapter'

/** A request to a function URL. Format 2.0 of its payload, as far as it is read here. */
export type FunctionUrlEvent = {
  readonly rawPath: string
  readonly rawQueryString: string
  /** Names in lower case; the lines of a name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: {
    readonly domainName: string
    readonly http: { readonly method: string; readonly sourceIp: string }
  }
}

/** The stream of a response, as Lambda's runtime for Node passes it. */
export type ResponseStream = Writable & { setContentType(type: string): void }

type StreamHandler = (event: FunctionUrlEvent, stream: ResponseStream) => Promise<void>

/** Lambda's runtime defines this global. */
declare const awslambda: { streamifyResponse(handler: StreamHandler): unknown }

/** Creates the exported handler of the function. @param folder of the files of the build */
export function createHandler(server: BuiltServer, contents: BuildContents, folder: string) {
  const respond = createFetchHandler({
    server,
    contents,
    read: (file) => readFile(join(folder, file)).catch(() => null),
  })
  return awslambda.streamifyResponse(async (event, stream) => {
    const work: Promise<unknown>[] = []
    const { sourceIp } = event.requestContext.http
    const request = toRequest(event)
    const response = request
      ? await respond(request, {
          waitUntil: (each) => void work.push(each),
          remoteAddress: sourceIp,
          forwardedFor: sourceIp,
        })
      : new Response('400 Bad Request\n', { status: 400 })
    await send(response, stream)
    // Lambda stops the process once this function returns.
    for (const each of work) await each.catch(() => {})
  })
}

/** @returns `null` for what no `Request` can hold, such as the method TRACE */
function toRequest(event: FunctionUrlEvent): Request | null {
  const { rawPath, rawQueryString, cookies = [], requestContext } = event
  const { method } = requestContext.http
  // The domain is Lambda's word; the header `host` would be the client's.
  const url = new URL(`https://${requestContext.domainName}${rawPath}`)
  url.search = rawQueryString
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
  // A client that leaves ends the stream.
  await pipeline(body ? Readable.fromWeb(body) : [], stream).catch(() => {})
}
