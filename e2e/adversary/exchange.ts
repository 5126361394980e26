import { connect, type Socket } from 'node:net'
import {
  type AttackRequest,
  type EncodedRequest,
  encodeRequest,
  type HeaderLine,
} from './request.ts'
import { createResponseReader, type ReadResponse } from './responseReader.ts'

/** The outcome of a request, from the client's point of view. */
export type Outcome = {
  readonly kind:
    | 'answered'
    /** The server closed the connection before the response was complete. */
    | 'cut'
    /** The response did not end in time. */
    | 'endless'
    /** The client closed the connection, as its behaviour required. */
    | 'left'
    /** The connection was refused, because no server is listening. */
    | 'refused'
  /** The part of the response that arrived, or `null` if nothing did. */
  readonly response: ReadResponse | null
  /** Milliseconds from the first byte sent to the end of the exchange. */
  readonly tookMs: number
}

/** A client that reuses one connection until the server closes it. */
export type Client = {
  /**
   * Sends a request and waits for its outcome. Never rejects.
   * @param added additional header lines
   */
  exchange(request: AttackRequest, added?: readonly HeaderLine[]): Promise<Outcome>
  close(): void
}

/** The address of the server, and the time limit for responses. */
export type Address = {
  readonly port: number
  /**
   * Milliseconds within which a response must be complete. A slower response counts as `endless`.
   */
  readonly withinMs: number
  /** Called whenever data arrives from the server. */
  readonly onArrival?: () => void
}

const leavesAfterMs = 60
const connectWithinMs = 5_000

/** Creates a client, which opens its connection with the first request. */
export function createClient(address: Address): Client {
  let idle: Socket | null = null

  async function exchange(
    request: AttackRequest,
    added: readonly HeaderLine[] = [],
  ): Promise<Outcome> {
    // The server may have closed the connection since the last request.
    const socket = idle?.readyState === 'open' ? idle : await open(address.port)
    idle = null
    if (socket === null) return { kind: 'refused', response: null, tookMs: 0 }
    const { outcome, isReusable } = await talk(
      socket,
      request,
      encodeRequest(request, added),
      address,
    )
    if (isReusable) {
      idle = socket
    } else socket.destroy()
    return outcome
  }

  return {
    exchange,
    close() {
      idle?.destroy()
      idle = null
    },
  }
}

function open(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const timer = setTimeout(() => socket.destroy(), connectWithinMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('close')
      resolve(socket)
    })
    // Ignore `error` events, because each is followed by `close`. A server that dies resets its
    // connections.
    socket.on('error', ignore)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

function ignore(): void {}

function talk(
  socket: Socket,
  request: AttackRequest,
  { bytes, headLength }: EncodedRequest,
  { withinMs, onArrival }: Address,
): Promise<{ outcome: Outcome; isReusable: boolean }> {
  const { behaviour } = request
  const reader = createResponseReader(request.method)
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const end = (kind: Outcome['kind']) => {
      clearTimeout(timer)
      socket.removeListener('data', read).removeListener('close', closed)
      const outcome = { kind, response: reader.read(), tookMs: performance.now() - startedMs }
      // A client that sends only half of a request waits for the outcome, even if the server has
      // already responded.
      const isWhole = behaviour !== 'sends half' && reader.isReusable()
      resolve({ outcome, isReusable: kind === 'answered' && isWhole })
    }
    const leave = () => end('left')
    const read = (chunk: Buffer) => {
      onArrival?.()
      if (reader.push(chunk)) end('answered')
    }
    const closed = () => end(reader.end() ? 'answered' : 'cut')
    const isLeaving = behaviour === 'leaves after 60 ms' || behaviour === 'sends half'
    const timer = isLeaving
      ? setTimeout(leave, leavesAfterMs)
      : setTimeout(() => end('endless'), withinMs)
    socket.on('data', read).once('close', closed)
    if (behaviour === 'leaves at once') socket.write(bytes, leave)
    else if (behaviour === 'sends half')
      socket.write(bytes.subarray(0, (headLength + bytes.length) >> 1))
    else socket.write(bytes)
  })
}
