import type { IncomingMessage, Server } from 'node:http'
import { type BodyProgress, bodyDueMs } from '../http/bodyDeadline.ts'
import { neverThrows } from '../shared/neverThrows.ts'

type Limits = { readonly requestTimeoutMs: number; readonly checkIntervalMs: number }

type WatchedBody = BodyProgress & {
  /** Bytes that the connection had received before the body. */
  readonly bytesBefore: number
}

/**
 * Ends requests whose body stalls or is too slow, with the same event as Node's `requestTimeout`. That timeout counts
 * from the start of the request, so it would also cut a large upload that is still progressing.
 */
export function createSlowBodies({ requestTimeoutMs, checkIntervalMs }: Limits) {
  const arriving = new Map<IncomingMessage, WatchedBody>()

  function check(server: Server): void {
    const now = Date.now()
    for (const [req, body] of arriving) {
      const { socket } = req
      if (req.complete || socket.destroyed) {
        arriving.delete(req)
        continue
      }
      const receivedBytes = socket.bytesRead - body.bytesBefore
      const progressedAtMs = receivedBytes > body.receivedBytes ? now : body.progressedAtMs
      const progress = { ...body, receivedBytes, progressedAtMs }
      arriving.set(req, progress)
      if (bodyDueMs(progress, requestTimeoutMs) > now) continue
      arriving.delete(req)
      server.emit('clientError', bodyTimeout(), socket)
    }
  }

  return {
    /** Watches the body of a request, unless the whole body has already arrived. */
    watch(req: IncomingMessage): void {
      const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
      if (req.complete || (length === '0' && coding === undefined)) return
      const now = Date.now()
      const bytesBefore = req.socket.bytesRead
      arriving.set(req, { startedAtMs: now, progressedAtMs: now, receivedBytes: 0, bytesBefore })
      const forget = neverThrows(() => arriving.delete(req), false)
      req.once('close', forget)
    },
    start(server: Server): void {
      const checkAll = neverThrows(() => check(server), undefined)
      const timer = setInterval(checkAll, checkIntervalMs)
      timer.unref()
      const stop = neverThrows(() => clearInterval(timer), undefined)
      server.once('close', stop)
    },
  }
}

function bodyTimeout(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error('The request body arrived too slowly.')
  error.code = 'ERR_HTTP_REQUEST_TIMEOUT'
  return error
}
