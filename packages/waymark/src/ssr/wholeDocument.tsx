import { renderToPipeableStream } from 'virtual:waymark/document-renderer'
import type { ReactFormState } from 'react-dom/client'
import type { DocumentOptions } from '../http/documentRenderer.ts'
import type { ByteChunk } from '../http/stream.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { entryTag, loadClientFiles } from './clientFiles.ts'
import { DecodedRoot, wholeSource } from './decodeFlight.tsx'
import { createDocumentWriter, joinFlight } from './documentWriter.tsx'

/**
 * Renders a document with a complete payload as one string.
 * @throws the shell's error
 */
export async function renderWholeDocument(
  pieces: readonly ByteChunk[],
  options: DocumentOptions,
  formState: ReactFormState | null,
): Promise<string> {
  const { onError, headStart, nonce } = options
  const payload = joinFlight(pieces)
  const loading = loadClientFiles(options.clientFiles)
  if (loading) await loading
  const writer = createDocumentWriter({
    onError,
    nonce,
    hasFormKeys: options.hasFormKeys,
    sealedUser: options.sealedUser,
    rootFile: options.rootFile,
    needsReact: options.needsReact,
    headStart: headStart + entryTag(nonce),
  })
  const source = wholeSource(payload.decodable, options)
  const rendered = await new Promise<string>((resolve, reject) => {
    const rendering = renderToPipeableStream(
      <DecodedRoot source={source} insert={writer.insert} />,
      {
        // Wait until the document is complete. Before, fallbacks would hide parts whose client code
        // is still loading.
        onAllReady: neverThrows(
          () => void rendering.pipe(createTextSink(resolve, reject)),
          undefined,
        ),
        onShellError: neverThrows(reject, undefined),
        onError: neverThrows(onError, ''),
        // The document is sent as a whole, so large content needn't wait behind a fallback.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        nonce,
        formState,
      },
    )
  })
  return writer.html(rendered) + writer.end(payload)
}

function createTextSink(
  done: (text: string) => void,
  fail: (error: unknown) => void,
): NodeJS.WritableStream {
  let decoder: TextDecoder | null = null
  let text = ''
  // React writes bytes, but a package's renderer may write strings.
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
  // The sink only has those methods of a stream that React calls.
  return sink as unknown as NodeJS.WritableStream
}
