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

/** Decodes within the render: the hints that the decoder finds (styles, modules) belong to it. */
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

/** Client code of a page, and whether the browser needs it at once. */
type PageCode = Pick<DocumentOptions, 'clientFiles' | 'needsReact'>

/** Decodes a payload that still arrives. Resolves once the client files of the page are loaded. */
export async function channelSource(flight: ByteChannel, code: PageCode): Promise<PayloadSource> {
  await loadClientFiles(code.clientFiles)
  // A page that needs React only later says so to the entry, which loads the scripts.
  return decodedOnce(code, () => channelStream(flight))
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

/** Reads the form state of a document: React's renderer takes it before it renders. */
export async function decodeDocumentFormState(flight: ByteChannel): Promise<ReactFormState> {
  const { decodable } = joinFlight(flight.pieces)
  return withBoundedReads(await createFromNodeStream<FormState>(textStream(decodable)))
}

/** Events come in the caller's context, whose render gets the styles of a loaded module. */
function channelStream(channel: ByteChannel): Readable {
  const stream = new EventEmitter()
  const inContext = AsyncLocalStorage.snapshot()
  // The reader attaches its listeners in the call that it is given the stream in.
  queueMicrotask(() =>
    channel.listen({
      piece: (piece) => inContext(() => stream.emit('data', piece)),
      end: () => inContext(() => stream.emit('end')),
      fail: (error) => inContext(() => stream.emit('error', error)),
    }),
  )
  return stream as unknown as Readable
}

/** Hands a whole payload to React's decoder. At an `end`, React would make an error for missing rows. */
function textStream(piece: ByteChunk): Readable {
  const stream = {
    on(event: string, listener: (piece: ByteChunk) => void) {
      if (event === 'data') listener(piece)
      return stream
    },
  }
  return stream as unknown as Readable
}
