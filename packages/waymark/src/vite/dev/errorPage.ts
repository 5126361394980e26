import { escapeHtml } from '../../shared/html.ts'
import type { HandlerResponse, ResponseBody } from '../../shared/response.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/themeScript.ts'
import type { DevFailure } from './failures.ts'
import { overlayData, overlayId } from './overlayParts.ts'

/** What is shown on a page of the dev server. */
export type ShownFailures = {
  /** Before every URL of the dev server. */
  readonly base: string
  /** What has failed so far. */
  readonly errors: () => readonly DevFailure[]
}

/** The document of an app that can not be loaded. It loads itself anew when a file changes. */
export function errorPage(failures: ShownFailures, theme: ThemeConfig): HandlerResponse {
  const text = failures.errors().map(({ message, frame }) => `${message}\n\n${frame ?? ''}`)
  const body = [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    themeHead({ config: theme }),
    '<title>Error</title><meta name="robots" content="noindex">',
    '<style>:root{color-scheme:light dark}</style></head><body>',
    `<pre>${escapeHtml(text.join('\n\n'))}</pre>`,
    overlayScripts(failures),
    '</body></html>',
  ].join('')
  const headers: HandlerResponse['headers'] = [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
  ]
  return { status: 500, headers, body }
}

/** The scripts that show failures in Vite's overlay, over whatever page they are added to. */
export function overlayScripts({ base, errors }: ShownFailures): string {
  const json = JSON.stringify(errors()).replaceAll('<', '\\u003c')
  const data = `<script type="application/json" id="${overlayData}">${json}</script>`
  return `${data}<script type="module" src="${base}@id/${overlayId}"></script>`
}

/** Tells whether an answer has a body of a media type. */
export function hasBody({ headers, body }: HandlerResponse, type: string): boolean {
  const line = headers.find(([name]) => name.toLowerCase() === 'content-type')
  return body !== null && line?.[1].startsWith(type) === true
}

/** Adds the failures of a document to its end, those included that happen while it streams. */
export function withFailures(answer: HandlerResponse, failures: ShownFailures): HandlerResponse {
  return { ...answer, body: extended(answer.body, failures) }
}

function extended(body: ResponseBody, failures: ShownFailures): ResponseBody {
  const scripts = () => (failures.errors().length > 0 ? overlayScripts(failures) : '')
  if (body === null) return null
  if (typeof body === 'string') return body + scripts()
  if (body instanceof Uint8Array) return Buffer.concat([body, Buffer.from(scripts())])
  return followedBy(body, scripts)
}

async function* followedBy(
  body: AsyncIterable<Uint8Array>,
  end: () => string,
): AsyncGenerator<Uint8Array> {
  yield* body
  const text = end()
  if (text !== '') yield Buffer.from(text)
}
