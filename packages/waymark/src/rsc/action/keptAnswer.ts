import type { Answer, HeaderLines } from '../../shared/answer.ts'

/** An answer that can be given again. */
export type KeptAnswer = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/**
 * Keeps an answer while it is sent. One that still arrives is read to its end even when its reader
 * leaves: whoever asks again shall get all of it.
 * @param onKept gets it once it is whole; `null` when it is too large, or broke off
 * @returns the answer to send in its place
 */
export function keepAnswer(
  { status, headers, body, ...others }: Answer,
  maxBytes: number,
  onKept: (kept: KeptAnswer | null) => void,
): Answer {
  const kept = (bytes: Uint8Array) =>
    onKept(bytes.byteLength > maxBytes ? null : { status, headers: [...headers], body: bytes })
  if (body === null) kept(new Uint8Array())
  else if (typeof body === 'string') kept(Buffer.from(body))
  else if (body instanceof Uint8Array) kept(body)
  else
    return {
      ...others,
      status,
      headers,
      body: keepPieces(body, maxBytes, kept, () => onKept(null)),
    }
  return { ...others, status, headers, body }
}

/** Gives a kept answer again. */
export function replayAnswer({ status, headers, body }: KeptAnswer): Answer {
  return { status, headers: [...headers, ['waymark-replayed', '1']], body }
}

function keepPieces(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onWhole: (bytes: Uint8Array) => void,
  onLost: () => void,
): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  const keep = (piece: IteratorResult<Uint8Array>) => {
    if (piece.done) length <= maxBytes ? onWhole(Buffer.concat(pieces)) : onLost()
    else {
      length += piece.value.byteLength
      if (length <= maxBytes) pieces.push(piece.value)
      else pieces.length = 0
    }
    return piece
  }
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      const next = async () => {
        try {
          return keep(await iterator.next())
        } catch (error) {
          onLost()
          throw error
        }
      }
      const readOn = async () => {
        while (length <= maxBytes) if ((await next()).done) return
        onLost()
        await iterator.return?.()
      }
      return {
        next,
        async return() {
          readOn().catch(() => {})
          return { done: true, value: undefined }
        },
      }
    },
  }
}
