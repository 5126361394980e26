import { type Operations, pagePathnameOf, type RequestObserver } from 'waymark/internal/start'
import { createAccessLog } from './accessLog.ts'
import { createMetrics } from './prometheus.ts'

export const createObserving: Operations['createObserving'] = (server, options, env) => {
  const log = options.log === undefined ? null : createAccessLog(process.stdout)
  const token = readMetricsToken(env)
  const metrics = token === null ? null : createMetrics()
  const observer: RequestObserver = {
    hasServerTiming: options['server-timing'] === true,
    routeOf(target) {
      const [pathname = ''] = target.split('?', 1)
      return server.routeOf(pagePathnameOf(pathname) ?? pathname)
    },
    onStarted: metrics?.onStarted,
    onRendering: metrics?.onRendering,
    onFinished(request) {
      log?.(request)
      metrics?.onFinished(request)
    },
  }
  const text = () => (metrics?.text() ?? '') + (server.metrics?.() ?? '')
  return { observer, metrics: token === null ? undefined : { token, text } }
}

/** @returns the token that scrapers must send; `null` disables metrics */
export function readMetricsToken(env: Readonly<Record<string, string | undefined>>): string | null {
  const { WAYMARK_METRICS_TOKEN: token = '' } = env
  if (token === '') return null
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token
  throw new Error('WAYMARK_METRICS_TOKEN has to have at least 16 characters, without spaces.')
}
