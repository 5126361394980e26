import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.rsc': 'text/x-component',
  '.svg': 'image/svg+xml',
}

/**
 * Serves files below `base`, as a minimal static host does: `/a` returns `a/index.html`, and a path
 * without a file returns `404.html`. A page that a test has left may still request a file after its
 * folder was deleted. Such a request gets no response.
 */
export async function serveFolder(
  folder: string,
  base = '',
): Promise<{ origin: string; close(): void }> {
  const server = createServer((req, res) => {
    const path = decodeURIComponent(new URL(req.url ?? '/', 'http://localhost').pathname)
    const inside = path === base || path.startsWith(`${base}/`)
    const name = join(folder, path.slice(base.length))
    const candidates = inside ? [name, join(name, 'index.html')] : []
    const existing = candidates.find((file) => extname(file) && existsSync(file))
    const file = existing ?? join(folder, '404.html')
    res.writeHead(existing ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' })
    createReadStream(file)
      .on('error', () => res.destroy())
      .pipe(res)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
