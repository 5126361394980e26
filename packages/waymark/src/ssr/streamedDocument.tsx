import type { ReactFormState } from 'react-dom/client'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { pendingMark } from '../react/marks.ts'
import { createPayloadScanner } from '../react/ssr/payloadScanner.ts'
import type { DocumentOptions } from '../shared/documentRenderer.ts'
import { startHeartbeat } from '../shared/heartbeat.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import type { StreamedBody } from '../shared/response.ts'
import {
  abandoned,
  type ByteChannel,
  type ByteChunk,
  createBodyQueue,
  createByteChannel,
  ignoreAbandoned,
  joinPieces,
} from '../shared/stream.ts'
import { channelSource, DecodedRoot } from './decodeFlight.tsx'
import {
  assertDocument,
  documentEnd,
  insertAtHead,
  insertAtHeadEnd,
  withFormKeys,
  withoutEnd,
} from './htmlEdits.ts'
import { flightEnd, flightScript } from './inlineFlight.ts'
import { collectInsertedHtml, type InsertedHtml } from './insertedHtml.tsx'
import { entryTag } from './scriptTags.ts'

/**
 * Renders a payload that is still arriving.
 * @returns once the shell can be sent
 * @throws what the shell threw
 */
export async function streamDocument(
  flight: ByteChannel,
  options: DocumentOptions,
  formState: ReactFormState | null,
): Promise<StreamedBody> {
  const { nonce, passive } = options
  const { late, onError } = collectLateMarkup(options)
  const inserted = collectInsertedHtml(onError, nonce)
  const source = await channelSource(flight, passive)
  // React finds the places of what comes later by their ids: no content can know them.
  const identifierPrefix = crypto.randomUUID().slice(0, 8)
  const stream = await new Promise<PipeableStream>((resolve, reject) => {
    const rendering = renderToPipeableStream(
      <DecodedRoot source={source} insert={inserted.add} />,
      {
        onShellReady: neverThrows(() => resolve(rendering), undefined),
        onShellError: neverThrows(reject, undefined),
        onError: neverThrows(onError, ''),
        nonce,
        formState,
        identifierPrefix,
      },
    )
  })
  const headStart = options.headStart + entryTag(nonce, identifierPrefix)
  return interleaveFlight(stream, flight, { ...options, headStart, late, inserted })
}

/** Collects what is written into a document for the errors that come after its begin. */
export function collectLateMarkup({
  onError,
  lateMarkup,
}: Pick<DocumentOptions, 'onError' | 'lateMarkup'>) {
  const late: string[] = []
  const markupOf = neverThrows(lateMarkup, '')
  const add = (thrown: unknown) => {
    late.push(markupOf(thrown))
    return onError(thrown)
  }
  return { late, onError: ignoreAbandoned(add) }
}

/** How a document and its payload become one stream. */
type InterleaveOptions = Pick<
  DocumentOptions,
  'headStart' | 'incompleteHead' | 'nonce' | 'hasFormKeys' | 'passive' | 'rootFile'
> & {
  /** Whether the begin of the document has been sent. */
  readonly hasBegun?: boolean
  /** HTML to be written next; emptied when it is. */
  readonly late: string[]
  readonly inserted: InsertedHtml
}

/**
 * Streams a document with its payload between React's own writes: React calls `flush` where the
 * HTML written so far stands on its own.
 */
export function interleaveFlight(
  stream: PipeableStream,
  flight: ByteChannel,
  { headStart, late, inserted, nonce, hasFormKeys, passive, ...options }: InterleaveOptions,
): StreamedBody {
  const queue = createBodyQueue()
  const htmlPieces: ByteChunk[] = []
  const flightPieces: ByteChunk[] = []
  let { hasBegun = false } = options
  let running = 2
  const nextScript = createScriptWriter(passive, nonce)
  const html = createByteChannel()
  stream.pipe(html.destination)

  function flush(): void {
    // The rest of the payload goes before the end of the body.
    let text = withoutEnd(joinPieces(htmlPieces.splice(0)).toString())
    if (hasFormKeys) text = withFormKeys(text)
    if (hasBegun && text !== '') text = inserted.take() + withMetaNonce(text, nonce)
    if (!hasBegun && text !== '') {
      hasBegun = true
      text = beginDocument(text, { ...options, headStart, inserted }, giveUp)
    }
    if (hasBegun) text += late.splice(0).join('')
    // Before the first HTML there is no place for a script, and nothing to hydrate.
    if (hasBegun && flightPieces.length > 0) text += nextScript(flightPieces.splice(0))
    if (text !== '') queue.push(Buffer.from(text))
  }
  const stop = startHeartbeat((row) => {
    if (hasBegun) queue.push(Buffer.from(flightScript([row], { nonce })))
  })
  function giveUp(): void {
    stop()
    stream.abort(abandoned)
  }
  function fail(error: unknown): void {
    stop()
    queue.fail(error)
  }
  function end(): void {
    flush()
    if (--running > 0) return
    stop()
    queue.push(Buffer.from(flightEnd(nonce) + documentEnd))
    queue.end()
  }
  html.listen({ piece: (piece) => htmlPieces.push(piece), flush, end, fail })
  flight.listen({
    piece(piece) {
      flightPieces.push(piece)
      if (htmlPieces.length === 0) flush()
    },
    end,
    fail,
  })
  // The shell was written before anybody listened.
  flush()
  const body = queue.body(giveUp)
  return Object.assign(body, { stopHeartbeat: stop })
}

function beginDocument(
  html: string,
  options: Pick<InterleaveOptions, 'headStart' | 'incompleteHead' | 'rootFile' | 'inserted'>,
  giveUp: () => void,
): string {
  const { headStart, incompleteHead = '', rootFile } = options
  try {
    assertDocument(html, rootFile)
  } catch (error) {
    giveUp()
    throw error
  }
  const start = html.includes(pendingMark) ? incompleteHead + headStart : headStart
  return insertAtHead(insertAtHeadEnd(html, options.inserted.take()), start)
}

// For the head, once that has been sent: React writes it before any content.
const lateHead = /^(?:<(?:meta|link|script) [^<>]*>(?:<\/script>)?|<title[^<>]*>[^<]*<\/title>)+/

/** Tells what React adds to the head from what stands in content. @see script/scriptLoader.ts */
function withMetaNonce(html: string, nonce: string | undefined): string {
  if (!nonce) return html
  return html.replace(lateHead, (late) => late.replaceAll('<meta ', `<meta nonce="${nonce}" `))
}

/** Inlines the next pieces of a payload; the first that need React in the browser say so. */
function createScriptWriter(passive: ReadonlySet<string>, nonce: string | undefined) {
  const scanner = createPayloadScanner(passive)
  return (pieces: readonly ByteChunk[]): string => {
    const isKnown = scanner.isInteractive
    if (!isKnown) scanner.read(joinPieces(pieces).toString())
    return flightScript(pieces, { isInteractive: !isKnown && scanner.isInteractive, nonce })
  }
}
