import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import { type ReactNode, use } from 'react'
import type { ReactFormState } from 'react-dom/client'
import { PageRoot } from '../components/PageRoot.tsx'
import { neverThrows } from '../shared/neverThrows.ts'
import type { Payload } from '../shared/payload.ts'
import type { ByteChunk } from '../shared/stream.ts'
import { textStream } from './decodeFlight.tsx'
import type { RenderOptions } from './documentOptions.ts'
import { insertAtHead, withFormKeys } from './htmlEdits.ts'
import { joinFlight, wholeFlightScript } from './inlineFlight.ts'
import { createPayloadScanner, type PayloadScanner } from './payloadScanner.ts'
import { entryTag, preloadScripts } from './scriptTags.ts'

// Its strings need no encoding: half the cost of React's build for Node, see
// docs/decisions/fizz-text.md. The dev server has the latter only.
const { renderToPipeableStream } = import.meta.env.__vite_rsc_build__
  ? await import('react-dom/server.bun')
  : await import('react-dom/server')

const closing = '</body></html>'

/**
 * Renders a whole payload to a whole document.
 * @throws what the shell threw
 */
export function renderWholeDocument(
  pieces: readonly ByteChunk[],
  { onError, headStart, nonce, passive, hasFormKeys }: RenderOptions,
  formState: ReactFormState | null,
): Promise<string> {
  const flight = joinFlight(pieces)
  const reader = createPayloadScanner(passive)
  reader.read(flight.text)
  const source = { decodable: flight.decodable, reader, payload: null }
  const start = headStart + entryTag(nonce)
  return new Promise((resolve, reject) => {
    const sink = createTextSink((text) => {
      const html = hasFormKeys ? withFormKeys(text) : text
      const end = html.endsWith(closing) ? html.length - closing.length : html.length
      const script = wholeFlightScript(flight, { isInteractive: reader.isInteractive, nonce })
      // Its start is looked for in one flat text: searched as a rope, the whole would be copied.
      resolve(insertAtHead(html.slice(0, end), start) + script + html.slice(end))
    }, reject)
    renderToPipeableStream(<DecodedRoot source={source} />, {
      onShellError: neverThrows(reject, undefined),
      onError: neverThrows(onError, ''),
      nonce,
      formState,
    }).pipe(sink)
  })
}

type Source = {
  readonly decodable: ByteChunk
  readonly reader: PayloadScanner
  payload: PromiseLike<Payload> | null
}

// Decoding begins within the render: the hints that it finds (styles, modules) belong to it, and
// this build of React knows the render by nothing else.
function DecodedRoot({ source }: { source: Source }): ReactNode {
  source.payload ??= decode(source)
  return <PageRoot page={use(source.payload as Promise<Payload>)} />
}

function decode({ decodable, reader }: Source): PromiseLike<Payload> {
  if (reader.isInteractive) preloadScripts(reader.files)
  return createFromNodeStream<Payload>(textStream(decodable))
}

function createTextSink(
  done: (text: string) => void,
  fail: (error: unknown) => void,
): NodeJS.WritableStream {
  let decoder: TextDecoder | null = null
  let text = ''
  // Bytes are written by the dev server's build of React only.
  const decoded = (bytes: Uint8Array) => {
    decoder ??= new TextDecoder()
    return decoder.decode(bytes, { stream: true })
  }
  const sink = {
    write(piece: ByteChunk) {
      text += typeof piece === 'string' ? piece : decoded(piece)
      return true
    },
    end: () => done(text),
    destroy: fail,
    on: () => sink,
  }
  // React asks no more of a destination than these methods.
  return sink as unknown as NodeJS.WritableStream
}
