/** The floor of action calls: a body read, React's `decodeReply`, the function, React's Flight. */

import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { decodeReply, renderToPipeableStream } = createRequire(import.meta.url)(
  '@vitejs/plugin-rsc/vendor/react-server-dom/server.node',
)

async function echo(...values) {
  return { values, count: values.length }
}

const server = createServer((request, response) => {
  // Whether it is up.
  if (request.method !== 'POST') return response.end()
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', async () => {
    const values = await decodeReply(Buffer.concat(pieces).toString(), {})
    const value = await echo(...values)
    response.setHeader('content-type', 'text/x-component')
    renderToPipeableStream({ kind: 'returned', value }, {}).pipe(response)
  })
})
server.listen(Number(process.argv.at(-1)), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
