import { resumeToPipeableStream } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { ownScript } from '../react/marks.ts'
import type { DocumentRenderer } from '../shared/documentRenderer.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { abandoned, ignoreAbandoned } from '../shared/stream.ts'
import { channelSource, DecodedRoot } from './decodeFlight.tsx'
import { insertAtHead, insertAtHeadEnd, withoutEnd } from './htmlEdits.ts'
import { collectInsertedHtml } from './insertedHtml.tsx'
import { entryTag } from './scriptTags.ts'
import { collectLateMarkup, interleaveFlight } from './streamedDocument.tsx'

type Postponed = Parameters<typeof resumeToPipeableStream>[1]

// The payload is there, so all that may still come are the modules of client components.
const shellMs = 400

export const renderShell: DocumentRenderer['renderShell'] = async (flight, options) => {
  const { onError, headStart, nonce, passive } = options
  const source = await channelSource(flight, passive)
  const inserted = collectInsertedHtml(onError, nonce)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(abandoned), shellMs)
  try {
    const { prelude, postponed } = await prerenderToNodeStream(
      <DecodedRoot source={source} insert={inserted.add} />,
      {
        signal: stop.signal,
        // What is there stands in its place, however large it is.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onError: neverThrows(ignoreAbandoned(onError), ''),
      },
    )
    let html = ''
    for await (const piece of prelude.setEncoding('utf8')) html += piece
    if (postponed === null || !html.includes('<head')) return null
    const start = headStart + entryTag(nonce)
    const whole = insertAtHeadEnd(withoutEnd(html), inserted.take())
    const open = withScriptNonce(whole, nonce)
    return { html: insertAtHead(open, start), postponed: JSON.stringify(postponed) }
  } finally {
    clearTimeout(timer)
  }
}

// React's prerenderer takes no nonce. It writes one script of its own, the last in the body.
function withScriptNonce(html: string, nonce: string | undefined): string {
  const at = nonce === undefined ? -1 : html.lastIndexOf(`${ownScript}>`)
  if (at === -1) return html
  const rest = html.slice(at + ownScript.length)
  return `${html.slice(0, at)}${ownScript} nonce="${nonce}"${rest}`
}

export const resumeDocument: DocumentRenderer['resumeDocument'] = async (flight, options) => {
  const { shell, passive, nonce } = options
  const { late, onError } = collectLateMarkup(options)
  // Parsed for each request: React goes on writing into it.
  const postponed = JSON.parse(shell.postponed) as Postponed
  const inserted = collectInsertedHtml(onError, nonce)
  const source = await channelSource(flight, passive)
  const root = <DecodedRoot source={source} insert={inserted.add} />
  // React's types make a promise of it.
  const stream = await resumeToPipeableStream(root, postponed, {
    onError: neverThrows(onError, ''),
    ...(nonce ? { nonce } : {}),
  })
  return interleaveFlight(stream, flight, {
    ...options,
    ...{ hasBegun: true, late, inserted, hasFormKeys: true },
  })
}
