import type { ServerResponse } from 'node:http'

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
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
  send(res, status, { type: 'text/plain; charset=utf-8', text: plainText(status) }, lines)
}

/** Makes the body of a refusal as a client prefers it. Needs neither the app's code nor React. */
export type RefusalScreen = (
  status: number,
  headers: { get(name: string): string | null },
) => { readonly type: string; readonly text: string }

/**
 * Answers with a screen, where one is to be had: to a person who asked for a page.
 * @param screen may throw; then it is plain text
 */
export function refuseWithScreen(
  res: ServerResponse,
  status: RefusalStatus,
  { screen, lines = [] }: { screen?: RefusalScreen | undefined; lines?: readonly string[] },
): void {
  const { accept } = res.req.headers
  let body: ReturnType<RefusalScreen> = {
    type: 'text/plain; charset=utf-8',
    text: plainText(status),
  }
  try {
    if (screen && accept && /html|json/.test(accept)) {
      body = screen(status, { get: (name) => String(res.req.headers[name] ?? '') || null })
    }
  } catch {
    // Whatever is broken, the status goes out.
  }
  send(res, status, body, lines)
}

function plainText(status: RefusalStatus): string {
  return `${status} ${reasons[status]}\n`
}

function send(
  res: ServerResponse,
  status: RefusalStatus,
  { type, text }: ReturnType<RefusalScreen>,
  lines: readonly string[],
): void {
  res.writeHead(status, [
    ...lines,
    'content-type',
    type,
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(Buffer.byteLength(text)),
  ])
  res.end(res.req.method === 'HEAD' ? undefined : text)
}
