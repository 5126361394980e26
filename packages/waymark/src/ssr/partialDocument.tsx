import { createHash } from 'node:crypto'
import { resumeToPipeableStream } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import type { DocumentRenderer } from '../http/documentRenderer.ts'
import { abandoned, type ByteChannel, ignoreAbandoned, joinPieces } from '../http/stream.ts'
import { prerenderScript } from '../react/ssr/prerenderScript.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { entryTag } from './clientFiles.ts'
import { channelSource, DecodedRoot } from './decodeFlight.tsx'
import { createDocumentWriter } from './documentWriter.tsx'
import { interleaveFlight } from './streamedDocument.tsx'

type Postponed = Parameters<typeof resumeToPipeableStream>[1]

// Milliseconds after which a shell is finished without the parts that are still pending. The
// payload is complete by then, so only modules can still be loading.
const shellMs = 400

export const renderShellDocument: DocumentRenderer['renderShell'] = async (channel, options) => {
  const { onError, nonce } = options
  const idPrefix = prefixOf(channel)
  const headStart = options.headStart + entryTag(nonce, idPrefix)
  const writer = createDocumentWriter({ ...options, headStart, hasFormKeys: false })
  const source = await channelSource(channel, options)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(abandoned), shellMs)
  try {
    const { prelude, postponed } = await prerenderToNodeStream(
      <DecodedRoot source={source} insert={writer.insert} />,
      {
        signal: stop.signal,
        identifierPrefix: idPrefix,
        // Write finished content in its place, however large it is.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onError: neverThrows(ignoreAbandoned(onError), ''),
      },
    )
    let html = ''
    for await (const piece of prelude.setEncoding('utf8')) html += piece
    if (postponed === null || !html.includes('<head')) return null
    // React's prerenderer has no option for a nonce, so add it to the only script that the
    // prerenderer writes.
    const script = prerenderScript(idPrefix)
    if (nonce !== undefined) html = html.replace(script, `${script} nonce="${nonce}"`)
    return { html: writer.html(html), postponed: JSON.stringify(postponed) }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the prefix for React's ids. It is a hash of the whole payload, so the shell's content
 * can't contain it.
 */
function prefixOf({ pieces }: ByteChannel): string {
  return createHash('sha256').update(joinPieces(pieces)).digest('base64url').slice(0, 12)
}

export const resumeShellDocument: DocumentRenderer['resumeDocument'] = async (channel, options) => {
  const { shell, nonce } = options
  const writer = createDocumentWriter({ ...options, headStart: null, hasFormKeys: true })
  // React modifies the object, so parse it for each request.
  const postponed = JSON.parse(shell.postponed) as Postponed
  const source = await channelSource(channel, options)
  const root = <DecodedRoot source={source} insert={writer.insert} />
  // React's types declare a promise.
  const stream = await resumeToPipeableStream(root, postponed, {
    onError: neverThrows(ignoreAbandoned(writer.failAfterBegin), ''),
    ...(nonce ? { nonce } : {}),
  })
  return interleaveFlight(stream, channel, writer)
}
