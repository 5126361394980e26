/** Floor: the best bare pipeline, collected as text and sent in one write with its length. */
import { joinDocument, renderCollected } from './collect.mjs'
import { htmlHeaders, serve } from './serve.mjs'

serve((page, query, response) => {
  renderCollected(page, query, (html, text) => {
    const body = joinDocument(html, text)
    response.writeHead(200, { ...htmlHeaders, 'content-length': Buffer.byteLength(body) }).end(body)
  })
})
