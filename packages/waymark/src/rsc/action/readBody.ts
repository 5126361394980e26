import type { BodyReader, ServerRequest } from '../../shared/answer.ts'

/** The body of a request, or why there is none. */
export type ReadBody =
  | { readonly kind: 'body'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' | 'timeout' | 'malformed' }

const maxDrainedBytes = 1_000_000

/**
 * Reads a whole body, and no more than it may have. What is too large is refused by its declared
 * length, or where it passes the limit.
 * @param limits `withinMs` for all of it
 */
export async function readBody(
  request: ServerRequest,
  { maxBytes, withinMs }: { readonly maxBytes: number; readonly withinMs: number },
): Promise<ReadBody> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (!(declared <= maxBytes)) return { kind: 'too-large' }
  const reader = openBody(request)
  if (reader === null) return { kind: 'malformed' }
  let deadline: NodeJS.Timeout | undefined
  const late = new Promise<'timeout'>((resolve) => {
    deadline = setTimeout(() => {
      resolve('timeout')
      void cancel(reader)
    }, withinMs)
  })
  try {
    const bytes = await Promise.race([readAll(reader, maxBytes), late])
    if (bytes === 'timeout') return { kind: 'timeout' }
    // RFC 9112 §8: cut on its way, it is not what was sent.
    if (bytes !== null && bytes.byteLength < declared) return { kind: 'malformed' }
    return bytes === null ? { kind: 'too-large' } : { kind: 'body', bytes }
  } catch {
    // The client went away, or its coding is broken.
    return { kind: 'malformed' }
  } finally {
    clearTimeout(deadline)
  }
}

function openBody(request: ServerRequest): BodyReader | null {
  if (request.openBody) return request.openBody()
  const { body, bodyUsed } = request.toRequest()
  // proxy.ts may have read it, and answered for it.
  if (bodyUsed) return null
  return body?.getReader() ?? noBody
}

const noBody: BodyReader = { read: async () => ({ done: true }), cancel() {} }

/** @returns `null` when there is more than allowed */
async function readAll(
  reader: BodyReader,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > maxBytes) {
      void drain(reader)
      return null
    }
    pieces.push(next.value)
  }
  return Buffer.concat(pieces, length)
}

// Cut at once, the connection would be gone before the answer is on it.
async function drain(reader: BodyReader): Promise<void> {
  try {
    let length = 0
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.byteLength
      if (length > maxDrainedBytes) return await cancel(reader)
    }
  } catch {
    // The client went away.
  }
}

async function cancel(reader: BodyReader): Promise<void> {
  try {
    await reader.cancel()
  } catch {
    // The client went away.
  }
}
