import type { RedisAddress } from './redisAddress.ts'
import { type RedisArgument, type SendCommand, within } from './redisConnection.ts'
import { encodeStoredBytes } from './storedBytes.ts'

/** Redis has refused a command, for example because its memory is full. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** The connection broke before the whole response arrived. Redis may have run the commands. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError'
}

/** The server has responded, but can't serve now. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

// Maximum length of the commands in a request. Servers refuse longer requests, many of them only after
// the whole body has arrived.
const maxRequestLength = 10_000_000

// Maximum bytes of a response. Base64 makes values a third longer, and values that were stored over HTTP
// are encoded twice.
const maxResponseBytes = 64 * 2 ** 20

/** A server that runs, but can't serve yet. */
const unusable = /^(?:LOADING|CLUSTERDOWN|MASTERDOWN)\b/

/**
 * Creates a client of the protocol that Upstash documents: a command is a POST request with a JSON array.
 * @param responseMs time limit for the start of a response
 * @see https://upstash.com/docs/redis/features/restapi
 */
export function createHttpClient({ urls: [url], token = '' }: RedisAddress, responseMs: number) {
  const base = url.replace(/\/+$/, '')
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    // Without this header, the server would replace bytes that aren't UTF-8.
    'upstash-encoding': 'base64',
  }

  async function post(path: string, body: string, signal: AbortSignal): Promise<unknown> {
    if (body.length > maxRequestLength) {
      const millions = (length: number) => `${(length / 1e6).toFixed(1)} million`
      throw new RefusedError(
        `it has ${millions(body.length)} characters, and the limit over HTTP is ${millions(maxRequestLength)}`,
      )
    }
    // Don't follow redirects, because they could lead the token to another server.
    const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const
    const response = await within(responseMs, fetch(`${base}${path}`, init).catch(throwLost))
    const text = await readText(response)
    // A status of 400 means that Redis has refused the command, if the body says why.
    if (response.ok || response.status === 400) {
      const reply = parseJson(text)
      if (typeof reply === 'object' && reply !== null) return reply
    }
    throw unavailable(response)
  }

  async function sendAll(commands: readonly WaitingCommand[], signal: AbortSignal): Promise<void> {
    const [first, ...others] = commands
    if (!first) return
    if (others.length === 0) {
      settle(first, await post('', encodeCommand(first), signal))
      return
    }
    const body = `[${commands.map(encodeCommand).join()}]`
    const replies = await post('/pipeline', body, signal)
    for (const [at, command] of commands.entries()) {
      // Without a list, the server has refused the pipeline as a whole.
      settle(command, Array.isArray(replies) ? replies[at] : replies)
    }
  }

  return {
    /**
     * Returns a function that sends commands. Commands that are sent at the same time share a request.
     * @param signal cancels the requests
     */
    createSender(signal: AbortSignal): SendCommand {
      let waiting: WaitingCommand[] = []
      return (_key, ...args) =>
        new Promise((resolve, reject) => {
          waiting.push({ args, resolve, reject })
          if (waiting.length > 1) return
          queueMicrotask(() => {
            const commands = waiting
            waiting = []
            sendAll(commands, signal).catch((error) => {
              for (const command of commands) command.reject(error)
            })
          })
        })
    },
  }
}

type WaitingCommand = {
  readonly args: readonly RedisArgument[]
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: unknown) => void
}

function encodeCommand({ args }: WaitingCommand): string {
  // JSON can only contain text.
  return JSON.stringify(
    args.map((arg) => (typeof arg === 'string' ? arg.toWellFormed() : encodeStoredBytes(arg))),
  )
}

/** Passes a command's reply on, which is `{ result }` or `{ error }`. */
function settle({ resolve, reject }: WaitingCommand, reply: unknown): void {
  const { result, error } = Object(reply) as { result?: unknown; error?: unknown }
  if (typeof error === 'string') {
    reject(unusable.test(error) ? new UnavailableError(error) : new RefusedError(error))
  } else if (result === undefined) reject(new UnavailableError('its response has no result'))
  else resolve(decodeReply(result))
}

/** Decodes a reply into the values that the client for TCP returns: strings are bytes. */
function decodeReply(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(decodeReply)
  // The server encodes all strings except OK.
  return typeof reply === 'string' && reply !== 'OK' ? Buffer.from(reply, 'base64') : reply
}

/** Reads the body of a response, up to a limit. */
async function readText({ headers, body }: Response): Promise<string> {
  if (!body) return ''
  const tooLong = new UnavailableError(`its response has more than ${maxResponseBytes} bytes`)
  if (Number(headers.get('content-length')) > maxResponseBytes) {
    await body.cancel().catch(() => {
      // Ignore the error, because the response isn't needed.
    })
    throw tooLong
  }
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of body) {
      bytes += piece.byteLength
      // Leaving the loop cancels the body.
      if (bytes > maxResponseBytes) throw tooLong
      pieces.push(piece)
    }
  } catch (error) {
    if (error === tooLong) throw error
    throwLost(error)
  }
  return Buffer.concat(pieces, bytes).toString()
}

function throwLost(error: unknown): never {
  // `fetch` hides the reason in the cause: its own message is "fetch failed".
  const { cause, message } = Object(error) as { cause?: unknown; message?: unknown }
  const reason = cause instanceof Error ? cause.message : message
  throw new LostConnectionError(String(reason), { cause: error })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The response isn't from Redis, but for example an error page of a proxy.
    return null
  }
}

function unavailable({ status, headers }: Response): UnavailableError {
  if (status === 401 || status === 403) {
    return new UnavailableError(`it refused the token in WAYMARK_REDIS_TOKEN with status ${status}`)
  }
  if (status === 200) {
    const type = headers.get('content-type')
    return new UnavailableError(`its response isn't JSON but ${type ?? 'of an unknown type'}`)
  }
  const retryAfterSeconds = Number(headers.get('retry-after')) || 0
  return new UnavailableError(`it responded with status ${status}`, retryAfterSeconds * 1_000)
}
