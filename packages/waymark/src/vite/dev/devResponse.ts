import type { HandlerResponse } from '../../shared/response.ts'

/** A response to a program, as JSON. */
export function uncachedJson(
  value: unknown,
  lines: HandlerResponse['headers'] = [],
): HandlerResponse {
  return uncached(200, 'application/json', JSON.stringify(value), lines)
}

/** A response to a program that says one thing. */
export function plainText(status: number, text: string): HandlerResponse {
  return uncached(status, 'text/plain; charset=utf-8', `${text}\n`)
}

/** What others of the network get in place of what the dev server knows of the app. */
export const refusedToOthers = plainText(
  403,
  'The dev server shows this to browsers of its own machine only.',
)

/** A response of the dev server that nothing stores. */
export function uncached(
  status: number,
  type: string | null = null,
  body: string | null = null,
  lines: HandlerResponse['headers'] = [],
): HandlerResponse {
  const headers: HandlerResponse['headers'] = [
    ...(type ? [['content-type', type] as [string, string]] : []),
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...lines,
  ]
  return { status, headers, body }
}
