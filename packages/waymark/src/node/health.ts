import type { IncomingMessage, ServerResponse } from 'node:http'
import { healthPrefix } from '../shared/protocol.ts'
import { refuse } from './refuse.ts'

/** Asked by whoever restarts servers: does the process answer at all? */
export const livePath = `${healthPrefix}live`

/** Asked by whoever sends requests to servers: shall it be sent any? */
export const readyPath = `${healthPrefix}ready`

/**
 * Answers a balancer's or supervisor's question. It is answered here, before the handler, so that
 * neither proxy.ts nor a limit on running requests decides about the health of a server.
 * @param isReady false while the server starts, and from before it stops accepting
 * @returns false when the request is for the handler
 */
export function answerHealth(
  req: IncomingMessage,
  res: ServerResponse,
  isReady: () => boolean,
): boolean {
  const target = req.url ?? '/'
  if (!target.startsWith(healthPrefix)) return false
  const queryStart = target.indexOf('?')
  const path = queryStart === -1 ? target : target.slice(0, queryStart)
  if (path !== livePath && path !== readyPath) return false
  if (req.method !== 'GET' && req.method !== 'HEAD') refuse(res, 405, ['allow', 'GET, HEAD'])
  else if (path === livePath) send(res, 200, 'live')
  else if (isReady()) send(res, 200, 'ready')
  else send(res, 503, 'unready')
  return true
}

function send(res: ServerResponse, status: 200 | 503, word: string): void {
  const text = `{"status":"${word}"}\n`
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': text.length,
  })
  res.end(res.req.method === 'HEAD' ? undefined : text)
}
