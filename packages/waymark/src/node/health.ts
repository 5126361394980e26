import type { IncomingMessage, ServerResponse } from 'node:http'
import { healthPrefix } from '../shared/protocol.ts'
import { refuse } from './refuse.ts'
import type { RequestCounts } from './requestSlots.ts'

/** Asked by whoever restarts servers: does the process answer at all? */
export const livePath = `${healthPrefix}live`

/** Asked by whoever sends requests to servers: shall it be sent any? */
export const readyPath = `${healthPrefix}ready`

/** How a server is. */
export type Health = {
  /** False while the server starts, from before it stops accepting, and while it is full for long. */
  isReady(): boolean
  counts(): RequestCounts & {
    /** Of this process, since its start. */
    readonly uncaughtExceptions: number
  }
}

/**
 * Answers a balancer's or supervisor's question. It is answered here, before the handler, so that
 * neither proxy.ts nor a limit on running requests decides about the health of a server.
 * @returns false when the request is for the handler
 */
export function respondHealth(req: IncomingMessage, res: ServerResponse, health: Health): boolean {
  const target = req.url ?? '/'
  if (!target.startsWith(healthPrefix)) return false
  const queryStart = target.indexOf('?')
  const path = queryStart === -1 ? target : target.slice(0, queryStart)
  if (path !== livePath && path !== readyPath) return false
  if (req.method !== 'GET' && req.method !== 'HEAD') refuse(res, 405, ['allow', 'GET, HEAD'])
  else if (path === livePath) send(res, { status: 'live', ...health.counts() })
  else send(res, { status: health.isReady() ? 'ready' : 'unready', ...health.counts() })
  return true
}

type HealthState = { status: 'live' | 'ready' | 'unready' } & ReturnType<Health['counts']>

function send(res: ServerResponse, state: HealthState): void {
  const text = `${JSON.stringify(state)}\n`
  const status = state.status === 'unready' ? 503 : 200
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': text.length,
  })
  res.end(res.req.method === 'HEAD' ? undefined : text)
}
