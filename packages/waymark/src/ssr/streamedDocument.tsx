import type { ReactFormState } from 'react-dom/client'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { neverThrows } from '../shared/neverThrows.ts'
import type { StreamedBody } from '../shared/response.ts'
import {
  abandoned,
  type ByteChannel,
  type ByteChunk,
  createBodyQueue,
  createByteChannel,
  ignoreAbandoned,
} from '../shared/stream.ts'
import { DecodedRoot, type PayloadSource } from './decodeFlight.tsx'
import type { RenderOptions } from './documentOptions.ts'
import { insertAtHead, withFormKeys } from './htmlEdits.ts'
import { flightEnd, flightScript, joinBytes } from './inlineFlight.ts'
import { createPayloadScanner, type PayloadScanner } from './payloadScanner.ts'
import { entryTag } from './scriptTags.ts'

/**
 * Renders a payload that is still arriving.
 * @returns once the shell can be sent
 * @throws what the shell threw
 */
export async function streamDocument(
  flight: ByteChannel,
  options: RenderOptions,
  formState: ReactFormState | null,
): Promise<AsyncIterable<Uint8Array>> {
  const html = createByteChannel()
  const late: string[] = []
  const lateMarkup = neverThrows(options.lateMarkup, '')
  const onError = (thrown: unknown) => {
    late.push(lateMarkup(thrown))
    return options.onError(thrown)
  }
  const { passive, nonce, hasFormKeys } = options
  const source = { flight, passive, payload: null }
  const stream = await renderShell(source, { onError, nonce, formState })
  stream.pipe(html.destination)
  const headStart = options.headStart + entryTag(nonce)
  const reader = createPayloadScanner(passive)
  const abort = () => stream.abort(abandoned)
  return interleaveFlight(html, flight, { headStart, late, nonce, hasFormKeys, reader, abort })
}

type ShellOptions = Pick<RenderOptions, 'onError' | 'nonce'> & {
  readonly formState: ReactFormState | null
}

function renderShell(
  source: PayloadSource,
  { onError, nonce, formState }: ShellOptions,
): Promise<PipeableStream> {
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(<DecodedRoot source={source} />, {
      onShellReady: neverThrows(() => resolve(stream), undefined),
      onShellError: neverThrows(reject, undefined),
      onError: neverThrows(ignoreAbandoned(onError), ''),
      nonce,
      formState,
    })
  })
}

const closing = '</body></html>'

const heartbeatMs = 1000
const lastRowId = 0x7fffffff

/** How a document and its payload become one stream. */
export type InterleaveOptions = {
  readonly headStart: string
  /** Whether the begin of the document has been sent before. */
  readonly hasBegun?: boolean
  /** HTML to be written next; emptied when it is. */
  readonly late: string[]
  readonly nonce?: string | undefined
  /** Whether its forms have keys of their own. */
  readonly hasFormKeys: boolean
  readonly reader: PayloadScanner
  /** Stops the rendering when the reader goes away. */
  readonly abort: () => void
}

/**
 * Streams a document with its payload between React's own writes: React calls `flush` where the
 * HTML written so far stands on its own.
 */
export function interleaveFlight(
  html: ByteChannel,
  flight: ByteChannel,
  { headStart, late, nonce, hasFormKeys, reader, abort, ...options }: InterleaveOptions,
): StreamedBody {
  const queue = createBodyQueue()
  let htmlPieces: ByteChunk[] = []
  let flightPieces: ByteChunk[] = []
  let { hasBegun = false } = options
  let running = 2
  function flush(): void {
    let text = joinBytes(htmlPieces).toString()
    htmlPieces = []
    if (hasFormKeys) text = withFormKeys(text)
    if (!hasBegun && text !== '') {
      hasBegun = true
      text = insertAtHead(text, headStart)
    }
    // What is left of the payload goes before the end of the body.
    if (text.endsWith(closing)) text = text.slice(0, -closing.length)
    if (hasBegun) text += late.splice(0).join('')
    // Before the first HTML there is no place for a script, and nothing to hydrate.
    if (hasBegun && flightPieces.length > 0) {
      text += nextScript(reader, flightPieces, nonce)
      flightPieces = []
    }
    if (text !== '') queue.push(Buffer.from(text))
  }
  const stop = startHeartbeat((row) => {
    if (hasBegun) queue.push(Buffer.from(flightScript([row], { nonce })))
  })
  const fail = (error: unknown) => {
    stop()
    queue.fail(error)
  }
  function end(): void {
    flush()
    running--
    if (running > 0) return
    stop()
    queue.push(Buffer.from(flightEnd(nonce) + closing))
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
  const body = queue.body(() => {
    stop()
    abort()
  })
  return Object.assign(body, { stopHeartbeat: stop })
}

/** Inlines the next pieces; the first that need React in the browser say so. */
function nextScript(reader: PayloadScanner, pieces: readonly ByteChunk[], nonce?: string): string {
  const isKnown = reader.isInteractive
  if (!isKnown) reader.read(joinBytes(pieces).toString())
  return flightScript(pieces, { isInteractive: !isKnown && reader.isInteractive, nonce })
}

/**
 * Lets the browser tell what is late from what is lost on its way: rows, as React writes them, of
 * ids that nothing refers to.
 */
function startHeartbeat(push: (row: string) => void): () => void {
  let id = lastRowId
  const timer = setInterval(() => push(`${(id--).toString(16)}:0\n`), heartbeatMs)
  return () => clearInterval(timer)
}
