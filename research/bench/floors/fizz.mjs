/** Floor: Fizz alone, the same tree without server components, piped into the response. */
import { plainElement, renderToPipeableStream } from '../dist/floors/ssr.js'
import { fail, htmlHeaders, serve } from './serve.mjs'

serve((page, query, response) => {
  const { pipe } = renderToPipeableStream(plainElement(page, query), {
    onShellReady() {
      response.writeHead(200, htmlHeaders)
      pipe(response)
    },
    onError: fail,
  })
})
