import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  type OpenStoresOptions,
  openStores,
  type ServerStores,
} from 'waymark/adapter'
import { type BufferedResult, type HttpEvent, resultHead, toRequest, toResult } from './event.ts'

/** The response stream that Lambda's Node runtime passes to the handler. */
export type ResponseStream = Writable & { setContentType(type: string): void }

/** Information about an invocation, from the runtime. */
export type InvocationContext = {
  /** If false, the runtime doesn't wait for open connections, such as a connection to Redis. */
  callbackWaitsForEmptyEventLoop: boolean
  getRemainingTimeInMillis(): number
}

type StreamingHandler = (
  event: HttpEvent,
  stream: ResponseStream,
  context: InvocationContext,
) => Promise<void>

/** Global that Lambda's runtime defines. */
declare const awslambda: { streamifyResponse<Handler>(handler: Handler): Handler }

export type FunctionOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer & ServerStores
  readonly stores: OpenStoresOptions['stores']
  readonly contents: BuildContents
  /** Folder with the build's files. */
  readonly folder: string
  /** Origin at which clients reach the app, if it isn't the function's own domain. */
  readonly origin?: string | undefined
}

/**
 * Milliseconds that we reserve at the end of an invocation, for the end of the response and for work
 * after the response.
 */
const spareMs = 2_000

/** Milliseconds before the time limit at which we stop waiting for work. */
const lastMs = 500

/**
 * Creates a handler that streams its responses.
 * @throws if the environment has no secret
 */
export async function createStreamingHandler(options: FunctionOptions): Promise<StreamingHandler> {
  const invoke = await createInvoke(options)
  return awslambda.streamifyResponse<StreamingHandler>((event, stream, context) =>
    invoke(event, context, (response) => send(response, stream, options.server)),
  )
}

/**
 * Creates a handler that returns complete responses.
 * @throws if the environment has no secret
 */
export async function createBufferedHandler(options: FunctionOptions) {
  const invoke = await createInvoke(options)
  const collect = async (response: Response): Promise<BufferedResult> => {
    try {
      return await toResult(response)
    } catch (thrown) {
      options.server.reportOutside(thrown)
      // The invocation fails, and the client gets a 502.
      throw thrown
    }
  }
  return (event: HttpEvent, context: InvocationContext): Promise<BufferedResult> =>
    invoke(event, context, collect)
}

/** Creates a function that runs one invocation, from the event to the work after the response. */
async function createInvoke({ server, stores, contents, folder, origin }: FunctionOptions) {
  const respond = createFetchHandler({
    server,
    contents,
    read: (file) => readFile(join(folder, file)).catch(() => null),
  })
  const log = (line: string) => console.error(line)
  const opened = await openStores({ server, stores, env: process.env, log })

  return async function invoke<Result>(
    event: HttpEvent,
    context: InvocationContext,
    deliver: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    context.callbackWaitsForEmptyEventLoop = false
    // Catch up with missed changes, because Lambda may have frozen the process since the last
    // request.
    await opened.catchUp()
    const work: Promise<unknown>[] = []
    const { sourceIp } = event.requestContext.http
    const ending = new AbortController()
    const leftMs = Math.max(0, context.getRemainingTimeInMillis() - spareMs)
    const timer = setTimeout(() => ending.abort(), leftMs)
    try {
      const request = toRequest(event, origin)
      const response = request
        ? await respond(request, {
            waitUntil: (each) => void work.push(each),
            remoteAddress: sourceIp,
            forwardedFor: sourceIp,
            endSignal: ending.signal,
          })
        : new Response('400 Bad Request\n', { status: 400 })
      return await deliver(response)
    } finally {
      clearTimeout(timer)
      // Wait for work after the response, because Lambda freezes the process once the invocation
      // ends. At the time limit, Lambda would end the process, and discard a response that isn't
      // streamed. So the remaining work continues with the next invocation instead.
      const workEnds = async () => {
        for (const each of work) await each.catch(() => {})
        await opened.flush()
      }
      await waitUpTo(context.getRemainingTimeInMillis() - lastMs, workEnds())
    }
  }
}

/** Waits until a promise resolves, or until the time has passed. */
async function waitUpTo(ms: number, promise: Promise<void>): Promise<void> {
  const waiting = new AbortController()
  // The timer rejects when it is stopped.
  const timer = sleep(Math.max(0, ms), undefined, { signal: waiting.signal }).catch(() => {})
  await Promise.race([promise, timer])
  waiting.abort()
}

/**
 * Writes a response as Lambda expects it: JSON, eight zero bytes, and then the body.
 * @throws if the body fails. The runtime then tells Lambda that the response is incomplete. If we
 * destroyed the stream instead, the runtime would wait until the time limit of the function.
 */
async function send(
  response: Response,
  stream: ResponseStream,
  server: BuiltServer,
): Promise<void> {
  stream.setContentType('application/vnd.awslambda.http-integration-response')
  stream.write(JSON.stringify(resultHead(response)))
  stream.write(new Uint8Array(8))
  // Node's types for streams and for `Response` differ.
  const body = response.body as ReadableStream | null
  const source = body ? Readable.fromWeb(body) : Readable.from([])
  let isClosed = false
  stream.once('close', () => {
    isClosed = true
    source.destroy()
  })
  source.pipe(stream)
  try {
    await finished(source)
  } catch (thrown) {
    // Nobody reads the response any more.
    if (isClosed) return
    server.reportOutside(thrown)
    throw thrown
  }
}
