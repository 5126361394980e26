/** Floor of page data: a bare Flight rendering, joined and sent in one write with its length. */
import { clientManifest, pageElement, renderToPipeableStream } from '../dist/floors/rsc.js'
import { fail, serve } from './serve.mjs'

serve((target, query, response) => {
  const page = target.replace(/^.*\//, '').replace('.rsc', '')
  const parts = []
  renderToPipeableStream(pageElement(page, query), clientManifest, { onError: fail }).pipe({
    write: (chunk) => parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) > 0,
    end() {
      const body = Buffer.concat(parts)
      const headers = { 'content-type': 'text/x-component', 'content-length': body.length }
      response.writeHead(200, headers).end(body)
    },
    on() {},
    destroy: fail,
  })
})
