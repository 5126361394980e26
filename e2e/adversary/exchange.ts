import { connect, type Socket } from 'node:net'
import {
  type AttackRequest,
  type EncodedRequest,
  encodeRequest,
  type HeaderLine,
} from './request.ts'
import { createResponseReader, type ReadResponse } from './responseReader.ts'

/** How one request ended for its client. */
export type Outcome = {
  readonly kind:
    | 'answered'
    /** The server closed the connection within the response, or before it. */
    | 'cut'
    /** The response had not come to its end in time. */
    | 'endless'
    /** The client left as it meant to. */
    | 'left'
    /** Nobody listens. */
    | 'refused'
  /** What came of the response; `null` for nothing. */
  readonly response: ReadResponse | null
  /** From the first byte sent, in milliseconds. */
  readonly tookMs: number
}

/** A client with one connection, that it keeps for as long as the server does. */
export type Client = {
  /** Sends a request and waits for what comes of it; never rejects. @param added header lines */
  exchange(request: AttackRequest, added?: readonly HeaderLine[]): Promise<Outcome>
  close(): void
}

/** What clients talk to. */
export type Address = {
  readonly port: number
  /** For a whole response; `endless` is what takes longer. */
  readonly withinMs: number
  /** Hears whenever something came from the server. */
  readonly onArrival?: () => void
}

const leavesAfterMs = 60
const connectWithinMs = 5_000

/** Makes a client. It connects with its first request. */
export function createClient(address: Address): Client {
  let idle: Socket | null = null

  async function exchange(
    request: AttackRequest,
    added: readonly HeaderLine[] = [],
  ): Promise<Outcome> {
    // One that the server closed meanwhile is of no use any more.
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
    // Errors are followed by `close`, and a server that died resets what is open.
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
      // What was sent by halves is still waited for, whatever the server answered before.
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
