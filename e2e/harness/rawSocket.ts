import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'

/** A WebSocket client that can violate the protocol, which browsers don't allow. */
export type RawSocket = {
  /** Status of the response to the handshake. 101 means that the socket is open. */
  readonly status: number
  /** Head of the response, in lower case. */
  readonly head: string
  /** Returns the body of a response that refused the handshake. */
  body(): string
  /** Text messages that the client has received. */
  readonly texts: readonly string[]
  /** Resolves to the code of the server's close frame, or to `null` if there was no code. */
  closed(): Promise<number | null>
  send(text: string): void
  ping(): void
  /** Sends bytes that may be an invalid frame. */
  write(bytes: readonly number[]): void
  /** Pauses or resumes reading. */
  pause(): void
  resume(): void
  leave(): void
}

type Options = {
  readonly headers?: Readonly<Record<string, string>>
  /** True to leave pings and close frames unanswered. */
  readonly isSilent?: boolean
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

/**
 * Opens a WebSocket as a page of the app does. Resolves even if the server refuses the handshake.
 */
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

/** Reads a frame from a server. Such frames are not masked (RFC 6455 §5.2). */
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
  // Mask with zeros, which doesn't change the payload.
  const mask = Buffer.alloc(4)
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
  socket.write(Buffer.concat([head, mask, payload]))
}
