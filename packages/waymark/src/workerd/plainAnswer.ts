import type { HeaderLines } from '../shared/answer.ts'

/** An answer of one line, for what no page answers. */
export function plainResponse(status: number, reason: string, lines: HeaderLines = []): Response {
  const headers = new Headers([
    ['content-type', 'text/plain; charset=utf-8'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...lines,
  ])
  return new Response(`${status} ${reason}\n`, { status, headers })
}
