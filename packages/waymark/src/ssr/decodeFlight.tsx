import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import { type ReactNode, use } from 'react'
import type { ReactFormState } from 'react-dom/client'
import { PageRoot } from '../components/Slot.tsx'
import { type InsertHtml, ServerInsertedHTMLContext } from '../components/useServerInsertedHTML.ts'
import type { DocumentOptions } from '../http/documentRenderer.ts'
import type { ByteChannel, ByteChunk } from '../http/stream.ts'
import type { Payload } from '../wire/payload.ts'
import { type FormState, withBoundedReads } from './boundedFormState.ts'
import { loadClientFiles, preloadScripts } from './clientFiles.ts'
import { joinFlight } from './documentWriter.tsx'

type PayloadSource = () => Promise<Payload>

/**
 * Decodes the payload during the render, so that React adds the payload's hints (styles and
 * modules) to this document.
 */
export function DecodedRoot({
  source,
  insert,
}: {
  source: PayloadSource
  insert: InsertHtml
}): ReactNode {
  return (
    <ServerInsertedHTMLContext value={insert}>
      <PageRoot page={use(source())} />
    </ServerInsertedHTMLContext>
  )
}

/** A page's client files, and a function that returns true if the browser needs them at once. */
type PageCode = Pick<DocumentOptions, 'clientFiles' | 'needsReact'>

/** Decodes a payload that is still arriving. Resolves once the page's client files are loaded. */
export async function channelSource(channel: ByteChannel, code: PageCode): Promise<PayloadSource> {
  await loadClientFiles(code.clientFiles)
  // A page may turn out later to need React. Its payload then tells the entry script to load the
  // files, so don't preload them now.
  return decodedOnce(code, () => channelStream(channel))
}

export function wholeSource(decodable: ByteChunk, code: PageCode): PayloadSource {
  return decodedOnce(code, () => textStream(decodable))
}

function decodedOnce(
  { clientFiles, needsReact }: PageCode,
  openStream: () => Readable,
): PayloadSource {
  let payload: Promise<Payload> | undefined
  return () => {
    if (payload) return payload
    if (needsReact()) preloadScripts(clientFiles)
    payload = createFromNodeStream<Payload>(openStream()) as Promise<Payload>
    return payload
  }
}

/** Decodes a document's form state, which React's renderer needs before it starts. */
export async function decodeDocumentFormState(channel: ByteChannel): Promise<ReactFormState> {
  const { decodable } = joinFlight(channel.pieces)
  return withBoundedReads(await createFromNodeStream<FormState>(textStream(decodable)))
}

/**
 * Creates a stream from a channel. Its events run in the caller's async context: if a module loads
 * during the render, its styles are then added to this render.
 */
function channelStream(channel: ByteChannel): Readable {
  const stream = new EventEmitter()
  const inContext = AsyncLocalStorage.snapshot()
  // React attaches its listeners before the next microtask, so start then.
  queueMicrotask(() =>
    channel.listen({
      piece: (piece) => inContext(() => stream.emit('data', piece)),
      end: () => inContext(() => stream.emit('end')),
      fail: (error) => inContext(() => stream.emit('error', error)),
    }),
  )
  return stream as unknown as Readable
}

/**
 * Creates a stream from a whole payload, for React's decoder. It never ends, because at the end
 * React would create an error for missing rows.
 */
function textStream(piece: ByteChunk): Readable {
  const stream = {
    on(event: string, listener: (piece: ByteChunk) => void) {
      if (event === 'data') listener(piece)
      return stream
    },
  }
  return stream as unknown as Readable
}
