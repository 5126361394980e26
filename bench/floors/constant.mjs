/** Floor: `node:http` and a constant buffer, the static page's HTML rendered once. */
import { collectPage, joinDocument } from './collect.mjs'
import { htmlHeaders, serve } from './serve.mjs'

const body = Buffer.from(joinDocument(...(await collectPage('static', ''))))
const headers = { ...htmlHeaders, 'content-length': body.length }

serve((_page, _query, response) => {
  response.writeHead(200, headers).end(body)
})
