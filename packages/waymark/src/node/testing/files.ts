import {
  loadStaticFiles,
  type StaticFiles,
  type StaticFilesOptions,
} from '../static/staticFiles.ts'
import { exchange, requestText, startServer } from './servers.ts'

/** Serves files; what they leave to the handler gets a 299. */
export async function serveFiles(
  options: StaticFilesOptions,
): Promise<{ port: number; files: StaticFiles }> {
  const files = loadStaticFiles(options)
  const port = await startServer((req, res) => {
    if (!files.serve(req, res)) res.writeHead(299, { 'content-length': 7 }).end('handler')
  })
  return { port, files }
}

/** An answer, taken apart. */
export type Received = { status: number; headers: Map<string, string>; body: string }

/** Sends a request whose target is not changed on its way. */
export async function send(
  port: number,
  target: string,
  lines: readonly string[] = [],
  method = 'GET',
): Promise<Received> {
  const text = requestText(method, target, ['connection: close', ...lines])
  const received = await exchange(port, text, 2000)
  const [head = '', ...body] = received.split('\r\n\r\n')
  const [statusLine = '', ...headers] = head.split('\r\n')
  const named = headers.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(named),
    body: body.join('\r\n\r\n'),
  }
}
