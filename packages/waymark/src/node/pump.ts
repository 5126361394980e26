import type { ServerResponse } from 'node:http'
import { neverThrows } from '../shared/neverThrows.ts'

/**
 * Writes a body that arrives in pieces, as fast as the client takes them. When the client goes
 * away, the body is told at once (`return()`), also while its next piece is awaited.
 * @returns settles when the response is over; rejects when the body failed: the connection is
 *   then cut, since a clean end would say that the body is complete
 */
export function pumpBody(res: ServerResponse, body: AsyncIterator<Uint8Array>): Promise<void> {
  // With a content-length of the app's own, Node throws as soon as the body breaks it.
  res.strictContentLength = true
  return new Promise((resolve, reject) => {
    let isOver = false
    let isHeadSent = false
    const close = neverThrows(() => {
      if (!isOver) releaseBody(body)
      isOver = true
      res.off('drain', pull)
      resolve()
    }, undefined)
    const fail = (error: unknown) => {
      if (isOver) return
      isOver = true
      reject(error)
      cut(res)
    }
    const pull = neverThrows(() => {
      try {
        body.next().then(write, fail)
      } catch (error) {
        fail(error)
      }
    }, undefined)
    const write = (piece: IteratorResult<Uint8Array>) => {
      if (isOver) return
      try {
        if (piece.done) res.end()
        isOver = piece.done === true
        if (piece.done) return
        isHeadSent ||= piece.value.byteLength > 0
        if (piece.value.byteLength === 0 || res.write(piece.value)) pull()
        else res.once('drain', pull)
      } catch (error) {
        releaseBody(body)
        fail(error)
      }
    }
    if (res.closed || res.destroyed) return close()
    res.once('close', close)
    pull()
    // A first piece that is there at once travels with the head; else the head goes ahead.
    setImmediate(() => {
      if (!isHeadSent && !isOver) res.flushHeaders()
    })
  })
}

/** Tells a body that will not be read to its end to let go of what it holds. */
export function releaseBody(body: AsyncIterator<Uint8Array>): void {
  // Nobody waits for this body any more, so nobody can be told that its clean-up failed.
  try {
    body.return?.().then(undefined, () => {})
  } catch {}
}

function cut(res: ServerResponse): void {
  // Without chunks (HTTP/1.0, as some proxies speak) a closed connection is a clean end.
  if (res.req.httpVersion === '1.0') res.socket?.resetAndDestroy()
  else res.destroy()
}
