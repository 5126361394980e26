/** Floor: `node:http` that reads a body to its end and responds with nothing. */
import { createServer } from 'node:http'

const headers = { 'cache-control': 'no-store' }

const server = createServer((request, response) => {
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    Buffer.concat(pieces)
    response.writeHead(204, headers).end()
  })
})
server.listen(Number(process.argv.at(-1)), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
