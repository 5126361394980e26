import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PrerenderedManifest } from '../builds/cachedPage.ts'
import type { Handle, HeaderLines } from '../http/response.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { createRequestListener } from './listener.ts'
import { loadStaticFiles } from './static/staticFiles.ts'
import { send, startServer } from './testing/servers.ts'

const manifest: PrerenderedManifest = {
  version: 1,
  files: {
    '/': {
      file: 'index.html',
      status: 200,
      headers: [
        ['content-type', 'text/html'],
        ['cache-control', 'public, max-age=0, must-revalidate'],
        ['cdn-cache-control', 'public, max-age=60'],
      ],
    },
  },
  notFound: { file: '404.html', status: 404, headers: [] },
}

/** Starts a server whose handler runs first, as with a proxy.ts. */
async function serve(headers: HeaderLines = []) {
  const folder = temporaryFolder({
    'prerendered.json': JSON.stringify(manifest),
    'index.html': '<h1>home</h1>',
    '404.html': '<h1>404</h1>',
    'public/logo.txt': 'logo',
  })
  const requests: string[] = []
  const handle: Handle = async (request) => {
    requests.push(`${request.method} ${request.target}`)
    const [pathname = ''] = request.target.split('?')
    return pathname === '/' && request.method === 'GET'
      ? { status: 200, headers, body: null, prerendered: pathname }
      : { status: 299, headers, body: 'rendered' }
  }
  const staticFiles = loadStaticFiles({
    dirs: [join(folder, 'public')],
    prerendered: join(folder, 'prerendered.json'),
    findCached: () => null,
  })
  const logger = { error: (_message: string, error: unknown) => expect(error).toBeUndefined() }
  const listener = createRequestListener({ handle, staticFiles, logger })
  return { port: await startServer(listener), requests }
}

describe('a prerendered page behind a proxy.ts', () => {
  it('is sent once the handler has referred to it, with the headers that the handler adds', async () => {
    const { port, requests } = await serve([['x-proxy', '1']])
    for (let time = 0; time < 2; time++) {
      const answer = await send(port, '/?a=1')
      expect([answer.status, answer.body]).toEqual([200, '<h1>home</h1>'])
      expect(answer.headers.get('x-proxy')).toBe('1')
      expect(answer.headers.get('content-type')).toBe('text/html')
      const again = await send(port, '/', [`if-none-match: ${answer.headers.get('etag')}`])
      expect([again.status, again.headers.get('x-proxy')]).toEqual([304, '1'])
    }
    expect(requests).toHaveLength(4)
  })

  it('can get headers that replace its own', async () => {
    const { port } = await serve([['Cache-Control', 'no-cache']])
    await send(port, '/')
    expect((await send(port, '/')).headers.get('cache-control')).toBe('no-cache')
  })

  it('is private if the response sets a cookie', async () => {
    const { port } = await serve([['set-cookie', 'a=1']])
    const answer = await send(port, '/')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('set-cookie')).toBe('a=1')
  })

  it('has the CDN policy of the handler, and none if the response sets a cookie', async () => {
    const of = async (headers: HeaderLines) => {
      const answer = await send((await serve(headers)).port, '/')
      return [answer.headers.get('cache-control'), answer.headers.get('cdn-cache-control')]
    }
    expect(await of([])).toEqual(['public, max-age=0, must-revalidate', 'public, max-age=60'])
    const guarded: HeaderLines = [
      ['cache-control', 'private, no-cache'],
      ['cdn-cache-control', ''],
    ]
    expect(await of(guarded)).toEqual(['private, no-cache', undefined])
    const personal: HeaderLines = [
      ['set-cookie', 'a=1'],
      ['cache-control', 'public, max-age=9'],
    ]
    expect(await of(personal)).toEqual(['private, no-store', undefined])
  })

  it('is not sent for other methods', async () => {
    const { port } = await serve()
    expect((await send(port, '/', ['content-length: 0'], 'POST')).body).toBe('rendered')
  })

  it('is only sent by the handler, while files are sent without it', async () => {
    const { port, requests } = await serve()
    expect((await send(port, '/logo.txt')).body).toBe('logo')
    expect(requests).toEqual([])
    expect((await send(port, '/nowhere')).body).toBe('rendered')
  })
})
