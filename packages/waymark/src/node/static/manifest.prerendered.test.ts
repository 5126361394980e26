import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtNotFound, type PrerenderedManifest } from '../../builds/cachedPage.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { send, serveFiles, startServer } from '../testing/servers.ts'
import { loadStaticFiles } from './staticFiles.ts'

describe('a prerendered page', () => {
  const html: [string, string][] = [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'public, max-age=0, must-revalidate'],
    ['x-one', '1'],
  ]
  const manifest: PrerenderedManifest = {
    version: 1,
    files: {
      '/': { file: 'pages/index.html', status: 200, headers: html },
      '/caf%C3%A9': { file: 'pages/cafe.html', status: 200, headers: html },
      '/gone': { file: 'pages/index.html', status: 404, headers: html },
      '/_waymark/data/x.rsc': {
        file: 'pages/x.rsc',
        status: 200,
        headers: [['content-type', 'text/x-component']],
        handlerOnHeaders: ['Waymark-From'],
      },
    },
    notFound: { file: 'pages/404.html', status: 404, headers: html },
  }
  const folder = () =>
    temporaryFolder({
      'prerendered.json': JSON.stringify(manifest),
      'pages/index.html': '<h1>home</h1>',
      'pages/index.html.br': 'home as br',
      'pages/cafe.html': '<h1>café</h1>',
      'pages/404.html': '<h1>404</h1>',
      'pages/x.rsc': '0:{}',
    })
  const serve = () => serveFiles({ dirs: [], prerendered: join(folder(), 'prerendered.json') })

  it('is sent with its headers for any query', async () => {
    const { port } = await serve()
    for (const target of ['/', '/?a=1', '/?', '/caf%C3%A9', '/caf%c3%a9?x']) {
      const answer = await send(port, target)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-one')).toBe('1')
      expect(answer.headers.get('etag')).toBeDefined()
    }
  })

  it('is sent compressed, and not again if the client has it', async () => {
    const { port } = await serve()
    const answer = await send(port, '/', ['accept-encoding: br'])
    expect([answer.body, answer.headers.get('content-encoding')]).toEqual(['home as br', 'br'])
    const condition = [`if-none-match: ${answer.headers.get('etag')}`, 'accept-encoding: br']
    const again = await send(port, '/', condition)
    expect([again.status, again.headers.get('vary')]).toEqual([304, 'accept-encoding'])
    expect(again.headers.has('content-type')).toBe(false)
  })

  it('with another status ignores conditions and ranges', async () => {
    const { port } = await serve()
    const answer = await send(port, '/gone', ['if-none-match: *', 'range: bytes=0-1'])
    expect([answer.status, answer.body]).toEqual([404, '<h1>home</h1>'])
    expect(answer.headers.has('etag')).toBe(false)
  })

  it.each(['POST', 'OPTIONS', 'DELETE'])('leaves %s to the handler', async (method) => {
    const { port } = await serve()
    expect((await send(port, '/', [], method)).status).toBe(299)
  })

  it('leaves requests to the handler if they have one of the listed headers', async () => {
    const { port } = await serve()
    expect((await send(port, '/_waymark/data/x.rsc')).status).toBe(200)
    expect((await send(port, '/_waymark/data/x.rsc', ['waymark-from: /a'])).status).toBe(299)
  })

  it('is replaced by a file with the same URL', async () => {
    const prerendered = join(folder(), 'prerendered.json')
    const { port } = await serveFiles({ dirs: [temporaryFolder({ gone: 'file' })], prerendered })
    expect((await send(port, '/gone')).body).toBe('file')
  })

  it('for URLs without a route is sent on request', async () => {
    const files = loadStaticFiles({ dirs: [], prerendered: join(folder(), 'prerendered.json') })
    const port = await startServer((req, res) => {
      files.writeCached(req, res, {
        status: 404,
        headers: [],
        body: null,
        prerendered: builtNotFound,
      })
    })
    for (let time = 0; time < 2; time++) {
      const answer = await send(port, '/nowhere')
      expect([answer.status, answer.body]).toEqual([404, '<h1>404</h1>'])
    }
  })

  it('needs no manifest, but a manifest must be readable', () => {
    const missing = loadStaticFiles({
      dirs: ['/nowhere'],
      prerendered: '/nowhere/prerendered.json',
    })
    expect(missing.cachedBytes()).toBe(0)
    const other = temporaryFolder({ 'prerendered.json': '{"version":7}' })
    expect(() =>
      loadStaticFiles({ dirs: [], prerendered: join(other, 'prerendered.json') }),
    ).toThrow(/Build the app again/)
  })
})
