import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'

/** A client of a WebSocket that does what no browser lets a page do. */
export type RawSocket = {
  /** Of the response to the handshake; 101 where the socket is open. */
  readonly status: number
  /** Of that response, in lower case. */
  readonly head: string
  /** Of a response that opened no socket. */
  body(): string
  /** The texts that came. */
  readonly texts: readonly string[]
  /** The code of the server's close frame; `null` where it came without one. */
  closed(): Promise<number | null>
  send(text: string): void
  ping(): void
  /** Sends what may be no frame. */
  write(bytes: readonly number[]): void
  /** Ends the reading of what comes, or goes on with it. */
  pause(): void
  resume(): void
  leave(): void
}

type Options = {
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves pings and close frames without a response. */
  readonly isSilent?: boolean
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

/** Opens a WebSocket, as the page of the app does; resolves also where it is refused. */
export async function openRawSocket(
  app: { readonly origin: string },
  path: string,
  { headers = {}, isSilent = false }: Options = {},
): Promise<RawSocket> {
  const { hostname, port } = new URL(app.origin)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  onTestFinished(() => void socket.destroy())
  socket.write(handshake(app.origin, path, headers))
  const texts: string[] = []
  let received: Buffer = Buffer.alloc(0)
  let head: string | null = null
  let isOver = false
  let code: number | null = null

  function take(chunk: Buffer): void {
    received = Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (head === null && end !== -1) {
      head = received.toString('latin1', 0, end).toLowerCase()
      received = received.subarray(end + 4)
    }
    if (head?.startsWith('http/1.1 101')) takeFrames()
  }

  function takeFrames(): void {
    for (let frame = readFrame(received); frame; frame = readFrame(received)) {
      received = received.subarray(frame.size)
      if (frame.opcode === opcodes.text) texts.push(frame.payload.toString())
      if (frame.opcode === opcodes.close) code = frame.payload.readUInt16BE(0)
      if (isSilent) continue
      if (frame.opcode === opcodes.ping) write(socket, opcodes.pong, frame.payload)
      if (frame.opcode === opcodes.close) write(socket, opcodes.close, frame.payload)
    }
  }

  socket.on('data', take)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    isOver = true
  })
  await expect.poll(() => head !== null || isOver).toBe(true)
  return {
    status: Number((head ?? '').split(' ')[1]),
    head: head ?? '',
    body: () => received.toString(),
    texts,
    async closed() {
      await expect.poll(() => isOver).toBe(true)
      return code
    },
    send: (text) => write(socket, opcodes.text, Buffer.from(text)),
    ping: () => write(socket, opcodes.ping, Buffer.alloc(0)),
    write: (bytes) => void socket.write(Buffer.from(bytes)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    leave: () => socket.destroy(),
  }
}

function handshake(origin: string, path: string, headers: Options['headers']): string {
  const lines = {
    host: new URL(origin).host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    origin,
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${text.join('')}\r\n`
}

/** RFC 6455 §5.2; what a server sends is not masked. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return null
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  const size = start + length
  if (bytes.length < size) return null
  return { opcode: (bytes[0] as number) & 0xf, payload: bytes.subarray(start, size), size }
}

function write(socket: Socket, opcode: number, payload: Buffer): void {
  // A mask of zeros leaves the payload as it is.
  const mask = Buffer.alloc(4)
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
  socket.write(Buffer.concat([head, mask, payload]))
}
