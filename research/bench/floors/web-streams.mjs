/** Floor: the same pipeline with web streams, as in runtimes without Node's streams. */
import { Readable } from 'node:stream'
import {
  clientManifest,
  pageElement,
  renderToReadableStream as renderFlight,
} from '../dist/floors/rsc.js'
import {
  consumerManifest,
  createElement,
  createFromReadableStream,
  renderToReadableStream as renderHtml,
  use,
} from '../dist/floors/ssr.js'
import { documentEnd, inlineScript } from './inline.mjs'
import { fail, htmlHeaders, serve } from './serve.mjs'

serve(async (page, query, response) => {
  const flight = renderFlight(pageElement(page, query), clientManifest, { onError: fail })
  const [forDecoder, forInlining] = flight.tee()
  const root = createElement(PayloadRoot, { source: { stream: forDecoder } })
  const html = await renderHtml(root, { onError: fail })
  response.writeHead(200, htmlHeaders)
  Readable.fromWeb(html.pipeThrough(createInliner(forInlining))).pipe(response)
})

function PayloadRoot({ source }) {
  source.payload ??= createFromReadableStream(source.stream, {
    serverConsumerManifest: consumerManifest,
  })
  return use(source.payload)
}

/** Passes on HTML, then the payload's chunks, then the document's end. */
function createInliner(flight) {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  return new TransformStream({
    transform(chunk, controller) {
      const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(documentEnd)
      controller.enqueue(end === -1 ? chunk : chunk.subarray(0, end))
    },
    async flush(controller) {
      for await (const chunk of flight) {
        controller.enqueue(encoder.encode(inlineScript(decoder.decode(chunk, { stream: true }))))
      }
      controller.enqueue(encoder.encode(documentEnd))
    },
  })
}
