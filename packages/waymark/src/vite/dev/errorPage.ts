import type { HandlerResponse } from '../../shared/answer.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/head.ts'
import type { DevFailure } from './devFailures.ts'
import { overlayData, overlayId } from './overlayNames.ts'

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
