import type { IncomingMessage } from 'node:http'

/** A request to the served app. */
export type Exchange = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | null
}

export type ProbeResponse = {
  /** The status; 0 if the app didn't respond. */
  readonly status: number
  readonly headers: Headers
  /** The beginning of the body, at most `maxBodyBytes` long. */
  readonly body: string
}

const responseWithinMs = 10_000
const bodyWithinMs = 8_000
// An event stream stays open, and its beginning is enough.
const eventsWithinMs = 1_000
const maxBodyBytes = 4_000_000

/**
 * Sends a request, and reads the beginning of the response. Doesn't use `fetch`, which replaces
 * some of the headers that a browser sends.
 * @throws Error if no app listens at the URL
 */
export async function exchange({ url, method, headers, body }: Exchange): Promise<ProbeResponse> {
  const encoded = body === null ? null : new Response(body)
  const bytes = encoded === null ? null : Buffer.from(await encoded.arrayBuffer())
  const contentType = encoded?.headers.get('content-type') ?? null
  return new Promise((resolve, reject) => {
    const sent = process.getBuiltinModule('node:http').request(url, {
      method,
      headers: {
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...(bytes === null ? {} : { 'content-length': bytes.byteLength }),
        ...headers,
      },
    })
    const timer = setTimeout(() => sent.destroy(), responseWithinMs)
    const settle = (response: ProbeResponse) => {
      clearTimeout(timer)
      resolve(response)
    }
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
      settle({ status: 0, headers: new Headers(), body: '' })
    })
    sent.on('response', (response) => {
      clearTimeout(timer)
      void readStart(response).then((text) => settle({ ...headOf(response), body: text }))
    })
    // Only a response to an upgrade, which has no body.
    sent.on('upgrade', (response, socket) => {
      socket.on('error', () => {})
      socket.destroy()
      settle({ ...headOf(response), body: '' })
    })
    sent.end(bytes)
  })
}

/**
 * Like `exchange`, but follows a redirect that only adds or removes the slash at the end of the path.
 * Such a redirect comes before all guards, so it says nothing about access.
 */
export async function exchangeAtCanonicalUrl(sent: Exchange): Promise<ProbeResponse> {
  const response = await exchange(sent)
  const location = response.status === 308 ? response.headers.get('location') : null
  if (location === null) return response
  const [from, to] = [new URL(sent.url), new URL(location, sent.url)]
  const isSamePage =
    to.origin === from.origin && withoutSlash(to.pathname) === withoutSlash(from.pathname)
  return isSamePage ? exchange({ ...sent, url: to.href }) : response
}

function withoutSlash(pathname: string): string {
  return pathname.replace(/\/$/, '')
}

function headOf({ statusCode = 0, rawHeaders }: IncomingMessage) {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return { status: statusCode, headers }
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const isEvents = response.headers['content-type']?.startsWith('text/event-stream')
  const withinMs = isEvents ? eventsWithinMs : bodyWithinMs
  const timer = setTimeout(() => response.destroy(), withinMs)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > maxBodyBytes) break
    }
  } catch {
    // The app cut the body, or the body takes too long. Use the part that has arrived, as a client would.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBodyBytes)
}
