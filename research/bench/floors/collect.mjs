/**
 * The fastest way through Flight and Fizz that public entries allow: each side writes into a
 * plain object, is joined once, and nothing waits for a stream. What counts, in CPU per request
 * for the small page / the page with 100 items, on Node 20; `collected-bytes.mjs`, the plain
 * form, takes 195 / 1950 µs, this one 157 / 1550:
 *
 * 1. Fizz from `react-dom/server.bun`. It is plain JavaScript and runs on Node; it hands
 *    strings to `destination.write`, where the Node build encodes every piece of markup into
 *    4096-byte views (-10 / -250 µs). It has no AsyncLocalStorage, ignores what `write`
 *    returns, and needs a `Bun.hash` for the keys of form state only.
 * 2. A whole payload is inlined as a data block, not as a JavaScript string in a script: no
 *    second layer of quotes to write, send and parse (-2 / -60 µs, 10 % fewer bytes).
 * 3. The decoder gets no 'end': all rows are there, and for late ones it would make an Error,
 *    stack and all (-11 µs).
 * 4. The decoder is fed text when the payload has no length-prefixed row, and one `end(string)`
 *    sends headers and body (-7 / -30 µs).
 * 5. Both forms join Flight's chunks before they are decoded: a row that is cut by a view's end
 *    costs a streaming TextDecoder, slow on Node 20 (+95 µs for the items when fed as they come).
 *
 * Everything happens in the microtasks of the request's event if the page waits for nothing.
 */
import {
  clientManifest,
  pageElement,
  renderToPipeableStream as renderFlight,
} from '../dist/floors/rsc.js'
import {
  consumerManifest,
  createElement,
  createFromNodeStream,
  renderToText,
} from '../dist/floors/ssr.js'
import { documentEnd, inlineWhole } from './inline.mjs'
import { fail } from './serve.mjs'

const renderOptions = { onError: fail }

/** Renders a page. The promise resolves to its HTML and its payload. */
export function collectPage(page, query) {
  return new Promise((resolve) =>
    renderCollected(page, query, (html, text) => resolve([html, text])),
  )
}

/**
 * Renders a page and calls back once with both texts: before any `setImmediate`, if the page
 * waits for nothing.
 */
export function renderCollected(page, query, done) {
  const sink = new FlightSink((text, parts) => {
    const root = createElement(PayloadRoot, { source: new WholePayload(text, parts) })
    renderToText(root, renderOptions).pipe(new TextSink((html) => done(html, text)))
  })
  renderFlight(pageElement(page, query), clientManifest, renderOptions).pipe(sink)
}

// Decoding starts inside the first render, so that hints reach the document. A payload that is
// whole decodes at once; only one with asynchronous modules makes Fizz render this again.
function PayloadRoot({ source }) {
  source.payload ??= createFromNodeStream(source, consumerManifest)
  return source.payload
}

/** Inserts the payload before the end of the document. */
export function joinDocument(html, text) {
  return html.slice(0, -documentEnd.length) + inlineWhole(text) + documentEnd
}

/** Takes Fizz's strings. V8 concatenates them as a rope, which is flattened once when it is sent. */
class TextSink {
  constructor(done) {
    this.text = ''
    this.done = done
  }
  write(chunk) {
    this.text += chunk
    return true
  }
  end() {
    this.done(this.text)
  }
  on() {
    return this
  }
  destroy(error) {
    fail(error)
  }
}

/** Takes Flight's chunks: long rows as strings, short ones as bytes of a shared view. */
class FlightSink extends TextSink {
  constructor(done) {
    super(done)
    this.parts = []
  }
  write(chunk) {
    this.parts.push(chunk)
    this.text += typeof chunk === 'string' ? chunk : textOf(chunk)
    return true
  }
  end() {
    this.done(this.text, this.parts)
  }
}

// React never splits a character between two chunks, so each can be decoded separately.
function textOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).utf8Slice()
}

/** Looks like a Node stream to Flight's decoder, and passes it the whole payload at once. */
class WholePayload {
  constructor(text, parts) {
    this.text = text
    this.parts = parts
    this.payload = null
  }
  on(event, listener) {
    if (event === 'data') listener(hasOnlyLines(this.text) ? this.text : joinBytes(this.parts))
    return this
  }
}

// The tags of rows that have a length instead of a newline at their end: text and binary data.
const lengthTags = 'TAOobUSsLlGgMmV'

function hasOnlyLines(text) {
  for (let start = 0; start < text.length; ) {
    const tagIndex = text.indexOf(':', start) + 1
    if (lengthTags.includes(text[tagIndex])) return false
    start = text.indexOf('\n', tagIndex) + 1
  }
  return true
}

function joinBytes(parts) {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
