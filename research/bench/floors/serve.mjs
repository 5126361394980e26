/** Code that all floors share: a simple server, and the mapping from a request to a page. */
import { createServer } from 'node:http'

/**
 * Listens on the port in the last argument of the command line.
 * @param answer gets the page's name, the value of `?q=` and the response
 */
export function serve(answer) {
  const server = createServer((request, response) => {
    const { page, query } = readTarget(request.url)
    answer(page, query, response)
  })
  server.listen(Number(process.argv.at(-1)), '127.0.0.1')
  process.once('SIGTERM', () => process.exit(0))
}

/** Splits `/items?q=1` into the page's name and the query's value. */
function readTarget(target) {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? 'none' : target.slice(mark + 3)
  return { page: path === '/' ? 'static' : path.slice(1), query }
}

/** Reports the error of a renderer, because a floor that fails must not look fast. */
export function fail(error) {
  console.error(error)
  process.exit(1)
}

/** The headers that every floor sends, without the length. */
export const htmlHeaders = { 'content-type': 'text/html; charset=utf-8' }
