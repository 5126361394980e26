import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { neverThrows } from '../shared/neverThrows.ts'

export type LingerLimits = {
  /** Maximum milliseconds to keep reading from a client. */
  readonly maxMs: number
  /** Maximum milliseconds to wait for the client's next byte. */
  readonly silenceMs: number
  readonly maxBytes: number
  /** Maximum number of connections to read from at the same time. Others are closed at once. */
  readonly maxOpen: number
}

const defaults: LingerLimits = {
  maxMs: 30_000,
  silenceMs: 5_000,
  maxBytes: 256_000_000,
  maxOpen: 500,
}

const checkMs = 100

export type Linger = ReturnType<typeof createLinger>

/**
 * After a response was written, keeps reading what the client sends, and discards it. Closing a
 * connection while bytes arrive would reset it. The client would then lose the response, because
 * browsers read it only after they have sent the whole body. Meanwhile, the request no longer
 * occupies a slot.
 * @see RFC 9112 §9.6
 */
export function createLinger(limits: Partial<LingerLimits> = {}, now = () => performance.now()) {
  const { maxMs, silenceMs, maxBytes, maxOpen } = { ...defaults, ...limits }
  let open = 0

  function follow(socket: Socket, isOver: () => boolean, onOver: () => void): void {
    if (open >= maxOpen) {
      socket.destroySoon()
      return
    }
    open++
    const startedAtMs = now()
    const startedAtByte = socket.bytesRead
    let progressAtMs = startedAtMs
    let progressAtByte = startedAtByte
    const stop = () => {
      clearInterval(timer)
      open--
    }
    const check = neverThrows(() => {
      const nowMs = now()
      const { bytesRead } = socket
      if (bytesRead > progressAtByte) {
        progressAtMs = nowMs
        progressAtByte = bytesRead
      }
      const isTooMuch = bytesRead - startedAtByte > maxBytes
      const isTooLong = nowMs - startedAtMs > maxMs || nowMs - progressAtMs > silenceMs
      if (socket.destroyed) stop()
      else if (isOver()) {
        stop()
        onOver()
      } else if (isTooMuch || isTooLong) {
        stop()
        socket.destroy()
      }
    }, undefined)
    const timer = setInterval(check, checkMs)
    timer.unref()
  }

  /** Reads the rest of a request whose response has been written. */
  function finish(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req
    if (req.complete || socket.destroyed) return
    const readOn = neverThrows(() => {
      if (req.complete || socket.destroyed) return
      // Node only resumes a request that no code has read from.
      req.resume()
      follow(
        socket,
        () => req.complete,
        () => {},
      )
    }, undefined)
    if (res.writableFinished) readOn()
    else res.once('finish', readOn)
  }

  /** Writes a connection's last bytes, and closes it once the client has stopped sending. */
  function endSocket(socket: Socket, text: string): void {
    let hasEnded = false
    const onEnd = neverThrows(() => {
      hasEnded = true
    }, undefined)
    // Node's parser has failed and must not get any more bytes, so detach it.
    socket.removeAllListeners('data')
    socket.on('data', () => {})
    socket.once('end', onEnd)
    socket.resume()
    socket.end(text, 'latin1')
    follow(
      socket,
      () => hasEnded,
      () => socket.destroy(),
    )
  }

  return { finish, endSocket, count: () => open }
}
