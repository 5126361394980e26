import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** The part of a response that has arrived. */
export type ReadResponse = {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** Text of the body, decompressed if the encoding is supported, with one character per byte. */
  readonly text: string
}

/** Reads one response from a socket. */
export type ResponseReader = {
  /**
   * Adds bytes from the socket.
   * @returns true if the response is complete
   */
  push(chunk: Buffer): boolean
  /**
   * Marks the end of the connection.
   * @returns true if the response is complete
   */
  end(): boolean
  /** Returns the part of the response that has arrived, or `null` if the head is incomplete. */
  read(): ReadResponse | null
  /** True if another request may be sent on the connection. */
  isReusable(): boolean
}

type Head = Pick<ReadResponse, 'status' | 'headers'>

/**
 * Creates a reader.
 * @param method method of the request, because a response to HEAD has no body
 */
export function createResponseReader(method: string): ResponseReader {
  let waiting: Buffer = Buffer.alloc(0)
  let [head, isComplete]: [Head | null, boolean] = [null, false]
  const body: Buffer[] = []
  let length = 0

  function take(): boolean {
    while (head === null) {
      const end = waiting.indexOf('\r\n\r\n')
      if (end === -1) return false
      const parsed = parseHead(waiting.toString('latin1', 0, end))
      waiting = waiting.subarray(end + 4)
      if (parsed.status >= 200) head = parsed
    }
    const framing = framingOf(method, head)
    switch (framing.kind) {
      case 'none':
        return true
      case 'length':
        keep(waiting.subarray(0, framing.bytes - length))
        return length >= framing.bytes
      case 'chunked':
        return takeChunks()
      case 'until closed':
        keep(waiting)
        return false
    }
  }

  function keep(bytes: Buffer): void {
    body.push(bytes)
    length += bytes.length
    waiting = waiting.subarray(bytes.length)
  }

  function takeChunks(): boolean {
    for (let chunk = chunkBounds(waiting); chunk; chunk = chunkBounds(waiting)) {
      waiting = waiting.subarray(chunk.start)
      keep(waiting.subarray(0, chunk.size))
      waiting = waiting.subarray(2)
      if (!(chunk.size > 0)) return true
    }
    return false
  }

  return {
    push(chunk) {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
      isComplete ||= take()
      return isComplete
    },
    end() {
      isComplete ||= head !== null && framingOf(method, head).kind === 'until closed'
      return isComplete
    },
    read: () => head && { ...head, text: decode(Buffer.concat(body), head, waiting) },
    isReusable: () =>
      isComplete && waiting.length === 0 && head?.headers.get('connection') !== 'close',
  }
}

// RFC 9112 §7.1: a chunk consists of its length in hex, a line break, its bytes and a line break.
function chunkBounds(bytes: Buffer): { start: number; size: number } | null {
  const lineEnd = bytes.indexOf('\r\n')
  if (lineEnd === -1) return null
  const size = Number.parseInt(bytes.toString('latin1', 0, lineEnd), 16)
  return bytes.length < lineEnd + 2 + size + 2 ? null : { start: lineEnd + 2, size }
}

function parseHead(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(statusLine.split(' ')[1]), headers }
}

type Framing =
  | { readonly kind: 'none' | 'chunked' | 'until closed' }
  | { readonly kind: 'length'; readonly bytes: number }

/** @see RFC 9112 §6.3 */
function framingOf(method: string, { status, headers }: Head): Framing {
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' }
  if (headers.get('transfer-encoding') === 'chunked') return { kind: 'chunked' }
  const length = headers.get('content-length')
  return length === undefined ? { kind: 'until closed' } : { kind: 'length', bytes: Number(length) }
}

function decode(body: Buffer, { headers }: Head, rest: Buffer): string {
  const bytes = rest.length > 0 ? Buffer.concat([body, rest]) : body
  const decompress = decoders[headers.get('content-encoding') ?? '']
  if (decompress === undefined || bytes.length === 0) return bytes.toString('latin1')
  try {
    return decompress(bytes).toString('latin1')
  } catch {
    // An incomplete body, or a range, can't be decompressed.
    return bytes.toString('latin1')
  }
}

const decoders: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}
