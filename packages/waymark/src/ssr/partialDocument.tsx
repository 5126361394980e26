import { resumeToPipeableStream } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { neverThrows } from '../shared/neverThrows.ts'
import type { PartialShell } from '../shared/payload.ts'
import {
  abandoned,
  type ByteChannel,
  createByteChannel,
  ignoreAbandoned,
} from '../shared/stream.ts'
import { DecodedRoot } from './decodeFlight.tsx'
import type { RenderOptions } from './documentOptions.ts'
import { insertAtHead } from './htmlEdits.ts'
import { createPayloadScanner } from './payloadScanner.ts'
import { entryTag } from './scriptTags.ts'
import { interleaveFlight } from './streamedDocument.tsx'

type Postponed = Parameters<typeof resumeToPipeableStream>[1]

const closing = '</body></html>'
const ownScript = '<script id="_R_">'

// The payload is there, so all that may still come are the modules of client components.
const shellMs = 400

/**
 * Renders as much of a document as its payload has.
 * @param flight a payload that has not ended, and will not
 * @returns `null` when there is nothing to send, or nothing that is missing
 */
export async function renderShell(
  flight: ByteChannel,
  { onError, headStart, nonce, passive }: Omit<RenderOptions, 'lateMarkup' | 'hasFormKeys'>,
): Promise<Pick<PartialShell, 'html' | 'postponed'> | null> {
  const source = { flight, passive, payload: null }
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(abandoned), shellMs)
  try {
    const { prelude, postponed } = await prerenderToNodeStream(<DecodedRoot source={source} />, {
      signal: stop.signal,
      onError: neverThrows(ignoreAbandoned(onError), ''),
    })
    let html = ''
    for await (const piece of prelude.setEncoding('utf8')) html += piece
    if (postponed === null || !html.includes('<head')) return null
    const start = headStart + entryTag(nonce)
    const open = withScriptNonce(withoutClosing(html), nonce)
    return { html: insertAtHead(open, start), postponed: JSON.stringify(postponed) }
  } finally {
    clearTimeout(timer)
  }
}

// What fills the holes stands before the end of the body.
function withoutClosing(html: string): string {
  return html.endsWith(closing) ? html.slice(0, -closing.length) : html
}

// React's prerenderer takes no nonce. It writes one script of its own, the last in the body.
function withScriptNonce(html: string, nonce: string | undefined): string {
  const at = nonce === undefined ? -1 : html.lastIndexOf(ownScript)
  if (at === -1) return html
  const rest = html.slice(at + ownScript.length)
  return `${html.slice(0, at)}<script id="_R_" nonce="${nonce}">${rest}`
}

/**
 * Goes on after a shell, where React stopped rendering it.
 * @param flight the payload for the request, of the same shape as the shell's
 */
export async function resumeDocument(
  flight: ByteChannel,
  options: Omit<RenderOptions, 'hasFormKeys'> & { readonly shell: PartialShell },
): Promise<AsyncIterable<Uint8Array>> {
  const { shell, passive, nonce } = options
  const html = createByteChannel()
  const late: string[] = []
  const lateMarkup = neverThrows(options.lateMarkup, '')
  const onError = (thrown: unknown) => {
    late.push(lateMarkup(thrown))
    return options.onError(thrown)
  }
  // Parsed for each request: React goes on writing into it.
  const postponed = JSON.parse(shell.postponed) as Postponed
  const source = { flight, passive, payload: null }
  // React's types make a promise of it.
  const stream = await resumeToPipeableStream(<DecodedRoot source={source} />, postponed, {
    onError: neverThrows(ignoreAbandoned(onError), ''),
    ...(nonce ? { nonce } : {}),
  })
  stream.pipe(html.destination)
  return interleaveFlight(html, flight, {
    hasBegun: true,
    headStart: '',
    late,
    nonce,
    hasFormKeys: true,
    reader: createPayloadScanner(passive),
    abort: () => stream.abort(abandoned),
  })
}
