import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  type OpenStoresOptions,
  openStores,
  type ServerStores,
} from 'waymark/adapter'

export type FunctionOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer & ServerStores
  readonly stores: OpenStoresOptions['stores']
  readonly contents: BuildContents
  /** Folder with the files that the function reads. */
  readonly folder: string
  /** Seconds after which Vercel ends a request. */
  readonly maxDuration: number
}

/** Seconds that we reserve at the end of a request, so that an endless response can end cleanly. */
const spareSeconds = 2

/**
 * Creates the handler that the function exports.
 * @throws if the environment has no secret
 */
export async function createHandler(options: FunctionOptions) {
  const { server, stores, contents, folder, maxDuration } = options
  const respond = createFetchHandler({
    server,
    contents,
    // Vercel's CDN compresses responses.
    compression: false,
    read: (file) => readFile(join(folder, file)).catch(() => null),
  })
  const log = (line: string) => console.error(line)
  const opened = await openStores({ server, stores, env: process.env, log })
  let running = 0
  let caughtUp: Promise<void> | undefined

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { waitUntil } = requestContext()
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), (maxDuration - spareSeconds) * 1_000)
    // Vercel may have frozen the process, but only while no request was running.
    if (running === 0) caughtUp = opened.catchUp()
    running += 1
    await caughtUp
    try {
      const request = toRequest(req, res)
      const response = request
        ? await respond(request, {
            waitUntil,
            remoteAddress: lineOf(req, 'x-real-ip'),
            forwardedFor: lineOf(req, 'x-forwarded-for'),
            endSignal: ending.signal,
          })
        : new Response('400 Bad Request\n', { status: 400 })
      await send(response, res, server)
    } finally {
      clearTimeout(timer)
      running -= 1
      waitUntil?.(opened.flush())
    }
  }
}

/** Cache control for Vercel's CDN, which browsers don't get. */
const cdnHeader = 'vercel-cdn-cache-control'

type RequestContext = { readonly waitUntil?: (work: Promise<unknown>) => void }

/**
 * Returns Vercel's functions for the running request. Vercel's runtime stores them under this symbol
 * for frameworks, and `@vercel/functions` reads them in the same way.
 */
function requestContext(): RequestContext {
  const key = Symbol.for('@vercel/request-context')
  const holder = (globalThis as { [key]?: { get?(): RequestContext | undefined } })[key]
  return holder?.get?.() ?? {}
}

/** @returns `null` for a target that isn't a path, or a method that `Request` doesn't allow, such as TRACE */
function toRequest(req: IncomingMessage, res: ServerResponse): Request | null {
  const { method = 'GET', url = '/', headersDistinct } = req
  // Any other target, such as a whole URL, would become part of the host below.
  if (!url.startsWith('/')) return null
  // Build the URL as a string, because in `new URL()` a path such as //evil.example would replace
  // the host. Vercel sends requests only for the project's domains, and sets the header itself.
  const scheme = lineOf(req, 'x-forwarded-proto') === 'http' ? 'http' : 'https'
  const target = `${scheme}://${req.headers.host}${url}`
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const gone = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  try {
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(headersDistinct)) {
      for (const value of values) headers.append(name, value)
    }
    return new Request(target, {
      method,
      headers,
      signal: gone.signal,
      // Node's types for streams and for `Request` differ.
      ...(hasBody ? { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' } : {}),
    })
  } catch {
    return null
  }
}

function lineOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

async function send(response: Response, res: ServerResponse, server: BuiltServer): Promise<void> {
  const cookies = response.headers.getSetCookie()
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  // Vercel's CDN is in front of each function, and a revalidation doesn't reach it. So only the page
  // cache stores pages, unless the app sets this header itself.
  if (headers.has('waymark-cache') && !headers.has(cdnHeader)) headers.set(cdnHeader, 'no-store')
  res.writeHead(response.status, {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
  })
  res.flushHeaders()
  try {
    await pipeline(readBody(response, server), res)
  } catch {
    // The client has disconnected, or the body has failed. `readBody` has reported a failed body,
    // and `pipeline` has cut the connection, so that the response doesn't look complete.
  }
}

async function* readBody({ body }: Response, server: BuiltServer): AsyncGenerator<Uint8Array> {
  if (!body) return
  try {
    // Only Node's type of the stream is iterable.
    yield* body as NodeStream<Uint8Array>
  } catch (thrown) {
    server.reportOutside(thrown)
    throw thrown
  }
}
