/** Floor: Flight and Fizz over Node streams; a Transform puts the payload into the HTML. */
import { PassThrough, Transform } from 'node:stream'
import {
  clientManifest,
  pageElement,
  renderToPipeableStream as renderFlight,
} from '../dist/floors/rsc.js'
import {
  consumerManifest,
  createElement,
  createFromNodeStream,
  renderToPipeableStream as renderHtml,
  use,
} from '../dist/floors/ssr.js'
import { documentEnd, inlineScript } from './inline.mjs'
import { fail, htmlHeaders, serve } from './serve.mjs'

serve((page, query, response) => {
  const forDecoder = new PassThrough()
  const forInlining = new PassThrough()
  const flight = new PassThrough()
  flight.pipe(forDecoder)
  flight.pipe(forInlining)
  renderFlight(pageElement(page, query), clientManifest, { onError: fail }).pipe(flight)

  const root = createElement(PayloadRoot, { source: { stream: forDecoder } })
  const inliner = createInliner(forInlining)
  const html = renderHtml(root, {
    onShellReady() {
      response.writeHead(200, htmlHeaders)
      html.pipe(inliner).pipe(response)
    },
    onError: fail,
  })
})

function PayloadRoot({ source }) {
  source.payload ??= createFromNodeStream(source.stream, consumerManifest)
  return use(source.payload)
}

/**
 * Passes on HTML, inserts the payload's chunks between its flushes, and writes the document's end
 * last.
 */
function createInliner(flight) {
  const waiting = []
  let push = (script) => waiting.push(script)
  // Read from the start, because a branch without a reader would also block the decoder's branch.
  flight.on('data', (chunk) => push(inlineScript(chunk.toString())))
  const flightEnd = new Promise((resolve) => flight.once('end', resolve))
  return new Transform({
    transform(chunk, _encoding, done) {
      const end = chunk.lastIndexOf(documentEnd)
      this.push(end === -1 ? chunk : chunk.subarray(0, end))
      setImmediate(() => {
        for (const script of waiting.splice(0)) this.push(script)
        push = (script) => this.push(script)
      })
      done()
    },
    flush(done) {
      flightEnd.then(() => done(null, waiting.splice(0).join('') + documentEnd))
    },
  })
}
