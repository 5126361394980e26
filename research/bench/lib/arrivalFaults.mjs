/** The proxy and the faults for `arrival.mjs`. */
import { createServer, request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const html = 'text/html; charset=utf-8'
const data = 'text/x-component; charset=utf-8'

/** Another response instead of the server's. */
const respond =
  (status, headers = {}, body = `<h1>${status}</h1>`) =>
  ({ res }) =>
    res.writeHead(status, { 'content-type': html, ...headers }).end(body)
const reset = ({ res }) => res.socket?.resetAndDestroy()
const close = ({ res }) => res.socket?.end()
const raw =
  (text) =>
  ({ res }) =>
    res.socket?.end(text)
const after = (ms, fault) => async (hit) => {
  await sleep(ms)
  return fault(hit)
}

/** The server's response, in part. A negative position counts from the end. */
const cut = (at, end) => async (hit) => {
  const { status, headers, body } = await hit.forwardWhole()
  const piece = body.subarray(0, at)
  hit.res.writeHead(status, headers)
  hit.res.flushHeaders()
  await new Promise((resolve) => (piece.length ? hit.res.write(piece, resolve) : resolve()))
  // A connection that is reset at once does not arrive.
  await sleep(20)
  end(hit)
}
const change = (edit) => async (hit) => {
  const { status, headers, body } = await hit.forwardWhole()
  hit.res.writeHead(status, headers).end(edit(body))
}
const flip = (position) =>
  change((body) => {
    const copy = Buffer.from(body)
    copy[position(body)] ^= 1
    return copy
  })
const endCleanly = ({ res }) => res.end()

/** The faults by name. Each gets a request, and the functions to respond. */
export const faults = {
  'reset before the first byte': reset,
  'closed before the first byte': close,
  'reset after 300 ms': after(300, reset),
  'no HTTP at all': raw('no http\r\n\r\n'),
  'reset after the headers': cut(0, reset),
  'reset after a byte': cut(1, reset),
  'reset in the middle': cut(900, reset),
  'reset before the end': cut(-20, reset),
  'closed in the middle': cut(900, close),
  'cut at byte 0': cut(0, endCleanly),
  'cut at byte 1': cut(1, endCleanly),
  'cut in the middle': cut(900, endCleanly),
  'cut before the end': cut(-12, endCleanly),
  'a row changed': flip((body) => body.indexOf(58) + 1),
  'a byte changed': flip((body) => body.length >> 1),
  'empty data': respond(200, { 'content-type': data }, ''),
  'garbage for data': respond(200, { 'content-type': data }, 'no rows at all'),
  500: respond(500),
  502: respond(502),
  '502 after 300 ms': after(300, respond(502)),
  503: respond(503),
  '503, retry after a second': respond(503, { 'retry-after': '1' }),
  504: respond(504),
  408: respond(408),
  429: respond(429),
  '404 of a gateway': respond(404),
  'a portal’s page': respond(200, {}, '<h1>Sign in to the network</h1>'),
}

/** The rest of a streamed page is lost once the page is on the screen. */
export async function loseRest({ req, res, forward }) {
  const upstream = await forward(req)
  res.writeHead(upstream.statusCode, upstream.headers)
  let sent = 0
  for await (const chunk of upstream) {
    if (sent > 0 && chunk.length > 500) return res.socket?.resetAndDestroy()
    sent += chunk.length
    await new Promise((resolve) => res.write(chunk, resolve))
  }
  res.end()
}

/**
 * Starts a proxy in front of an app, with one fault that starts with the first request for the data
 * of the target.
 * @param lastsMs duration of the fault; 0 affects one request
 * @returns `endedAtMs()`, the time at which the fault ended
 */
export async function startFaultyProxy({ target, fault, lastsMs, isHit }) {
  let endMs = null
  const proxy = createServer(async (req, res) => {
    const isFirst = endMs === null && req.url.startsWith('/_waymark/data/arrival/target')
    if (isFirst) endMs = Date.now() + lastsMs
    const isOn = isFirst || (endMs !== null && Date.now() < endMs)
    const forward = (from) => ask(target(), from, isOn)
    const forwardWhole = async () => {
      const upstream = await forward(req)
      const body = Buffer.concat(await upstream.toArray())
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = upstream.headers
      return { status: upstream.statusCode, headers, body }
    }
    try {
      if (fault && isOn && isHit(req)) {
        await fault({ req, res, forward, forwardWhole })
        if (lastsMs === 0) endMs = Date.now()
        return
      }
      const upstream = await forward(req)
      res.writeHead(upstream.statusCode, upstream.headers)
      upstream.on('error', () => res.destroy()).pipe(res)
    } catch {
      // Responds like a gateway whose server is gone.
      if (res.headersSent) res.destroy()
      else res.writeHead(502, { 'content-type': html }).end('<h1>Bad Gateway</h1>')
    }
  })
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    endedAtMs: () => endMs,
    stop() {
      proxy.closeAllConnections()
      return new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function ask(target, req, isPlain) {
  const headers = isPlain ? { ...req.headers, 'accept-encoding': 'identity' } : req.headers
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target)
    const upstream = sendRequest({ hostname, port, path: req.url, method: req.method, headers })
    upstream.on('response', resolve).on('error', reject)
    req.pipe(upstream)
  })
}
