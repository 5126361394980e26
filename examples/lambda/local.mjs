// Serves the built function on this machine. The program turns HTTP requests into events in format 2.0,
// and the function's stream into HTTP responses. TIMEOUT_MS is the time limit of an invocation.

import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'

process.env.NODE_ENV = 'production'
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler) => handler } })
const { handler } = await import('./.waymark/lambda/index.js')

const timeoutMs = Number(process.env.TIMEOUT_MS ?? 15_000)

const server = createServer(async (req, res) => {
  const endsAtMs = Date.now() + timeoutMs
  const pieces = []
  for await (const piece of req) pieces.push(piece)
  const [rawPath, ...query] = (req.url ?? '/').split('?')
  const { cookie, ...headers } = req.headers
  const stream = Object.assign(new PassThrough(), { setContentType() {} })
  const invoked = handler(
    {
      version: '2.0',
      routeKey: '$default',
      rawPath,
      rawQueryString: query.join('?'),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value].flat().join(',')]),
      ),
      ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
      requestContext: {
        // In AWS, this is the function's own domain. Here, it is the server's address.
        domainName: req.headers.host,
        stage: '$default',
        http: { method: req.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7' },
      },
      ...(pieces.length > 0 ? { body: Buffer.concat(pieces).toString('base64') } : {}),
      isBase64Encoded: pieces.length > 0,
    },
    stream,
    { getRemainingTimeInMillis: () => endsAtMs - Date.now() },
  )
  await forward(stream, res)
  await invoked
})

/** Reads the prelude, which is JSON that ends with eight NUL bytes, and then forwards the body. */
async function forward(stream, res) {
  let head = Buffer.alloc(0)
  for await (const piece of stream) {
    if (res.headersSent) {
      res.write(piece)
      continue
    }
    head = Buffer.concat([head, piece])
    const end = head.indexOf(Buffer.alloc(8))
    if (end < 0) continue
    const { statusCode, headers, cookies } = JSON.parse(head.subarray(0, end).toString())
    res.writeHead(statusCode, { ...headers, 'set-cookie': cookies })
    res.flushHeaders()
    if (head.length > end + 8) res.write(head.subarray(end + 8))
  }
  res.end()
}

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

const port = Number(process.argv[2] ?? 3000)
server.listen(port, '127.0.0.1', () => console.log(`Serving http://localhost:${port}`))
