import { type HandlerResponse, headerOf } from '../../http/response.ts'
import { parseDigest } from '../../journal/query.ts'
import { escapeHtml } from '../../shared/html.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { themeHead } from '../../theme/themeScript.ts'
import { digestHeader } from '../../wire/protocol.ts'
import type { DevFailure, DevFailures } from './failures.ts'
import { journalPath, overlayData, overlayId } from './overlayParts.ts'

export type FailurePage = {
  /** Prefix of every URL of the dev server. */
  readonly base: string
  readonly errors: () => readonly DevFailure[]
}

/** Builds the document for an app that can't be loaded. The document reloads when a file changes. */
export function errorPage(
  failures: FailurePage,
  theme: ThemeConfig,
  digest: string,
): HandlerResponse {
  const text = failures.errors().map(({ message, frame }) => `${message}\n\n${frame ?? ''}`)
  const body = `<pre>${escapeHtml(text.join('\n\n'))}</pre>${overlayScripts(failures)}`
  const head = '<style>:root{color-scheme:light dark}</style>'
  const page = devPage({ title: 'Error', head, body, theme })
  return { ...page, status: 500, headers: [...page.headers, [digestHeader, digest]] }
}

export function devPage({
  title,
  head,
  body,
  theme,
}: Readonly<Record<'title' | 'head' | 'body', string>> & {
  readonly theme: ThemeConfig
}): HandlerResponse {
  const html = [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    themeHead(theme),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>`,
    `${head}</head><body>${body}</body></html>`,
  ].join('')
  return uncached(200, 'text/html; charset=utf-8', html)
}

export function plainText(status: number, text: string): HandlerResponse {
  return uncached(status, 'text/plain; charset=utf-8', `${text}\n`)
}

/** Response for other machines in the network, which must not see the app's errors and sources. */
export const refusedToOthers = plainText(
  403,
  'The dev server shows this page only to browsers on the same machine.',
)

export function uncached(status: number, type: string, body: string): HandlerResponse {
  const headers: HandlerResponse['headers'] = [
    ['content-type', type],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ]
  return { status, headers, body }
}

function overlayScripts({ base, errors }: FailurePage): string {
  const json = JSON.stringify(errors()).replaceAll('<', '\\u003c')
  const data = `<script type="application/json" id="${overlayData}">${json}</script>`
  return `${data}<script type="module" src="${base}@id/${overlayId}"></script>`
}

/**
 * Responds to the overlay's request for an error by its digest.
 *
 * @returns `null` for any other target
 */
export async function respondFailure(
  target: string,
  {
    failures,
    hasOverlay,
    isLocal,
  }: {
    readonly failures: Pick<DevFailures, 'find'>
    /** True unless the app has turned Vite's overlay off. */
    readonly hasOverlay: boolean
    /** True if the request comes from this machine. */
    readonly isLocal: boolean
  },
): Promise<HandlerResponse | null> {
  const [, name = ''] = failureUrl.exec(target) ?? []
  const digest = parseDigest(name)
  if (digest === null) return null
  if (!isLocal) return refusedToOthers
  const failure = hasOverlay ? await failures.find(digest) : null
  return uncached(200, 'application/json', JSON.stringify(failure))
}

const failureUrl = new RegExp(`^${journalPath}/([^/?]+)\\.json(?:\\?|$)`)

export function isHtml({ headers, body }: HandlerResponse): boolean {
  return body !== null && headerOf(headers, 'content-type')?.startsWith('text/html') === true
}

/** Appends a document's failures to the document, including those that happen while it streams. */
export function withFailures(response: HandlerResponse, failures: FailurePage): HandlerResponse {
  const { body } = response
  const scripts = () => (failures.errors().length > 0 ? overlayScripts(failures) : '')
  if (body === null) return response
  if (typeof body === 'string') return { ...response, body: body + scripts() }
  if (body instanceof Uint8Array) {
    return { ...response, body: Buffer.concat([body, Buffer.from(scripts())]) }
  }
  return { ...response, body: followedBy(body, scripts) }
}

/**
 * Appends text to a body. Not a generator: if a reader leaves before it has read anything, as for
 * HEAD, a generator would not close the body.
 */
function followedBy(body: AsyncIterable<Uint8Array>, end: () => string): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      let hasEnded = false
      return {
        async next() {
          const result = hasEnded ? over : await iterator.next()
          if (!result.done || hasEnded) return result
          hasEnded = true
          const text = end()
          return text === '' ? over : { done: false, value: Buffer.from(text) }
        },
        async return() {
          await iterator.return?.()
          return over
        },
      }
    },
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }
