/**
 * The parts of an event in payload format 2.0 that we read. Function URLs and HTTP APIs send this
 * format.
 */
export type HttpEvent = {
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

/** Status, headers and cookies of a response, in payload format 2.0. */
export type ResultHead = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/** A complete response in payload format 2.0. */
export type BufferedResult = ResultHead & {
  readonly body: string
  readonly isBase64Encoded: boolean
}

/**
 * Creates the request of an event.
 * @param origin origin at which clients reach the app. Default: the event's own domain, which
 * Lambda sets. A client could send any `host` header, so the header isn't used.
 * @returns `null` for a request that `Request` doesn't allow, such as the method TRACE, and for a path without
 *   a slash at its start
 */
export function toRequest(event: HttpEvent, origin?: string): Request | null {
  const { rawPath, rawQueryString, cookies = [], requestContext } = event
  const { method } = requestContext.http
  // Any other path would become part of the host below.
  if (!/^(?:\/|$)/.test(rawPath)) return null
  // Build the URL as a string, because in `new URL()` a path such as //evil.example would replace
  // the host. API Gateway decodes paths, so a path may contain a question mark.
  const path = rawPath.replaceAll('?', '%3F').replaceAll('#', '%23')
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const url = `${origin ?? `https://${requestContext.domainName}`}${path}${query}`
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(event)
  try {
    const headers = new Headers(event.headers)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    return new Request(url, { method, headers, body })
  } catch {
    return null
  }
}

function bodyOf({ body, isBase64Encoded }: HttpEvent): Buffer<ArrayBuffer> | null {
  return body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

export function resultHead(response: Response): ResultHead {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  return {
    statusCode: response.status,
    headers: Object.fromEntries(headers),
    cookies: response.headers.getSetCookie(),
  }
}

/** @throws if the body fails */
export async function toResult(response: Response): Promise<BufferedResult> {
  const bytes = Buffer.from(await response.arrayBuffer())
  return { ...resultHead(response), body: bytes.toString('base64'), isBase64Encoded: true }
}
