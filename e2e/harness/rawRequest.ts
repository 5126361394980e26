import { connect } from 'node:net'

/** A response in the form in which it was received. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/**
 * Sends a request exactly as it is written. `fetch` and `node:http` would normalize or refuse
 * targets that tests for invalid input need.
 * @param target target for the request line, not normalized
 */
export async function rawRequest(
  origin: string,
  target: string,
  options: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body = '' } = options
  const { host } = new URL(origin)
  const sent = { host, connection: 'close', ...(body ? lengthOf(body) : {}), ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return parseAnswer(
    await exchange(origin, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`),
  )
}

function lengthOf(body: string): { 'content-length': string } {
  return { 'content-length': String(Buffer.byteLength(body)) }
}

function exchange(origin: string, text: string): Promise<Buffer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer within 10 s')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

/** Parses the bytes that a server sent before the connection was closed. */
export function parseAnswer(bytes: Buffer): RawAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) throw new Error(`Not an HTTP answer: ${bytes.toString('latin1')}`)
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const rest = bytes.subarray(headEnd + 4)
  const isChunked = headers.get('transfer-encoding') === 'chunked'
  const body = isChunked ? joinChunks(rest) : rest
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8') }
}

// RFC 9112 §7.1: a chunk consists of its length in hex, a line break, its bytes and a line break.
function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (lineEnd === -1 || !(length > 0)) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
}
