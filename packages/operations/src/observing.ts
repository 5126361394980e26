import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { FrameworkError } from 'waymark/drivers'
import type { Operations, RequestObserver } from 'waymark/plugin/node'
import { createAccessLog } from './accessLog.ts'
import { createMetrics } from './prometheus.ts'
import { isSame } from './shared/isSame.ts'

export const createObserving: Operations['createObserving'] = (server, options, env) => {
  const log = options.log === undefined ? null : createAccessLog(process.stdout)
  const token = readMetricsToken(env)
  const metrics = token === null ? null : createMetrics()
  const observer: RequestObserver = {
    hasServerTiming: options['server-timing'] === true,
    routeOf: (target) => server.routeOf(target),
    onStarted: metrics?.onStarted,
    onRendering: metrics?.onRendering,
    onFinished(request) {
      log?.(request)
      metrics?.onFinished(request)
    },
  }
  const text = () => (metrics?.text() ?? '') + (server.metrics?.() ?? '')
  return (listener) => {
    const observed = server.observeRequests(listener, observer)
    return token === null ? observed : withMetrics(observed, { token, text })
  }
}

/** Metrics for scrapers that send the token. */
type Metrics = { readonly token: string; text(): string }

export function withMetrics(listener: RequestListener, metrics: Metrics): RequestListener {
  return (req, res) => {
    if (!respondMetrics(req, res, metrics)) listener(req, res)
  }
}

const metricsPath = '/_waymark/metrics'

/**
 * Responds with 404 without the token, as if the URL didn't exist.
 * @returns false if the request is for the app
 */
function respondMetrics(
  req: IncomingMessage,
  res: ServerResponse,
  { token, text }: Metrics,
): boolean {
  if (req.url?.split('?', 1)[0] !== metricsPath || req.method !== 'GET') return false
  if (!isSame(req.headers.authorization ?? '', `Bearer ${token}`)) {
    res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    res.end('404 Not Found\n')
    return true
  }
  const body = text()
  res.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  })
  res.end(body)
  return true
}

/** @returns the token that scrapers must send; `null` if metrics are disabled */
export function readMetricsToken(env: Readonly<Record<string, string | undefined>>): string | null {
  const { WAYMARK_METRICS_TOKEN: token = '' } = env
  if (token === '') return null
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token
  const message =
    'WAYMARK_METRICS_TOKEN is too short or contains spaces. Use at least 16 characters without spaces.'
  throw new FrameworkError('METRICS_TOKEN', message)
}
