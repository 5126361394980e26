import type { ServerResponse } from 'node:http'

const reasons = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** A status that the server itself answers, before or instead of the handler. */
export type RefusalStatus = keyof typeof reasons

/**
 * Answers in plain text, uncached: what is served where no screen can or may be rendered.
 * @param lines further raw headers: name, value, name, value
 */
export function refuse(
  res: ServerResponse,
  status: RefusalStatus,
  lines: readonly string[] = [],
): void {
  const text = `${status} ${reasons[status]}\n`
  res.writeHead(status, [
    ...lines,
    'content-type',
    'text/plain; charset=utf-8',
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(text.length),
  ])
  res.end(res.req.method === 'HEAD' ? undefined : text)
}
