import { createHash } from 'node:crypto'
import { resumeToPipeableStream } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { ownScript } from '../react/marks.ts'
import type { DocumentRenderer } from '../shared/documentRenderer.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { abandoned, type ByteChannel, ignoreAbandoned, joinPieces } from '../shared/stream.ts'
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
  const idPrefix = prefixOf(flight)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(abandoned), shellMs)
  try {
    const { prelude, postponed } = await prerenderToNodeStream(
      <DecodedRoot source={source} insert={inserted.add} />,
      {
        signal: stop.signal,
        identifierPrefix: idPrefix,
        // What is there stands in its place, however large it is.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onError: neverThrows(ignoreAbandoned(onError), ''),
      },
    )
    let html = ''
    for await (const piece of prelude.setEncoding('utf8')) html += piece
    if (postponed === null || !html.includes('<head')) return null
    const start = headStart + entryTag(nonce, idPrefix)
    const whole = insertAtHeadEnd(withoutEnd(html), inserted.take())
    // React's prerenderer takes no nonce. It writes one script of its own.
    const own = ownScript(idPrefix)
    const open = nonce === undefined ? whole : whole.replace(own, `${own} nonce="${nonce}"`)
    return { html: insertAtHead(open, start), postponed: JSON.stringify(postponed) }
  } finally {
    clearTimeout(timer)
  }
}

/** Begins React's ids: no content can hold it, since it is a hash of all there is in the shell. */
function prefixOf({ pieces }: ByteChannel): string {
  return createHash('sha256').update(joinPieces(pieces)).digest('base64url').slice(0, 12)
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
