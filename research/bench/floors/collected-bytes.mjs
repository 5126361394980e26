/** Floor: the plain form of collecting: Fizz's Node build, bytes, payload in a script. */
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
} from '../dist/floors/ssr.js'
import { documentEnd, inlineScript } from './inline.mjs'
import { fail, htmlHeaders, serve } from './serve.mjs'

const renderOptions = { onError: fail }

serve((page, query, response) => {
  const flight = renderFlight(pageElement(page, query), clientManifest, renderOptions)
  flight.pipe(
    createSink((payloadBytes) => {
      const root = createElement(PayloadRoot, { source: createSource(payloadBytes) })
      renderHtml(root, renderOptions).pipe(
        createSink((html) => {
          const head = html.subarray(0, html.length - documentEnd.length)
          const tail = Buffer.from(inlineScript(payloadBytes.toString()) + documentEnd)
          const body = Buffer.concat([head, tail])
          response.writeHead(200, { ...htmlHeaders, 'content-length': body.length }).end(body)
        }),
      )
    }),
  )
})

function PayloadRoot({ source }) {
  source.payload ??= createFromNodeStream(source, consumerManifest)
  return source.payload
}

function createSink(done) {
  const parts = []
  return {
    write: (chunk) => parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) > 0,
    end: () => done(Buffer.concat(parts)),
    on() {},
    destroy: fail,
  }
}

function createSource(bytes) {
  return {
    payload: null,
    on(event, listener) {
      if (event === 'data') listener(bytes)
      if (event === 'end') listener()
      return this
    },
  }
}
