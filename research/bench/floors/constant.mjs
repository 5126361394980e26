/** Floor: `node:http` and a constant buffer, the static page's HTML rendered once. */
import { collectPage, joinDocument } from './collect.mjs'
import { htmlHeaders, serve } from './serve.mjs'

const html = joinDocument(...(await collectPage('static', '')))
// As long as the page to compare with, which `run.mjs` has measured.
const body = Buffer.from(html.padEnd(Number(process.env.CONSTANT_BYTES ?? 0)))
const headers = { ...htmlHeaders, 'content-length': body.length }

serve((_page, _query, response) => {
  response.writeHead(200, headers).end(body)
})
