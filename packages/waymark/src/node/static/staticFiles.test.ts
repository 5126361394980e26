import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { send, serveFiles } from '../testing/servers.ts'

const script = 'console.log(1)\n'.repeat(100)

const client = () =>
  temporaryFolder({
    '_waymark/assets/app-1.js': script,
    '_waymark/assets/app-1.js.br': 'as br',
    '_waymark/assets/app-1.js.gz': gzipSync(script),
    '_waymark/assets/app-1.js.zst': 'as zstd',
    'robots.txt': 'User-agent: *\n',
    'empty.txt': '',
    'näher/a b.svg': '<svg/>',
    '[id].json': '{}',
    'archive.tar': 'tar',
    'archive.tar.gz': 'tar.gz',
    '.env': 'SECRET=1',
    '.well-known/security.txt': 'Contact: x',
  })

describe('a file', () => {
  it('among the hashed assets is cached forever', async () => {
    const { port } = await serveFiles({ dirs: [client()] })
    const answer = await send(port, '/_waymark/assets/app-1.js')
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(script)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('content-length')).toBe(String(script.length))
  })

  it('of the public folder is revalidated, with a strong tag', async () => {
    const { port } = await serveFiles({ dirs: [client()] })
    const first = await send(port, '/robots.txt')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const second = await send(port, '/robots.txt', [`if-none-match: ${etag}`])
    expect([second.status, second.body]).toEqual([304, ''])
    expect(second.headers.get('etag')).toBe(etag)
    expect(second.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
    expect(second.headers.has('content-length')).toBe(false)
    const third = await send(port, '/robots.txt', [
      `if-modified-since: ${first.headers.get('last-modified')}`,
    ])
    expect(third.status).toBe(304)
  })

  it.each([
    '/n%C3%A4her/a%20b.svg',
    '/n%c3%a4her/a%20b.svg',
    '/%6E%C3%A4her/a%20b.svg?x#y',
    '/[id].json',
    '/%5Bid%5D.json',
    '/.well-known/security.txt',
    '/empty.txt',
    '/robots.txt?v=1',
  ])('is found at %s', async (target) => {
    const { port } = await serveFiles({ dirs: [client()] })
    expect((await send(port, target)).status).toBe(200)
    expect((await send(port, target)).status).toBe(200)
  })

  it.each([
    ['br', 'as br'],
    ['gzip;q=0.5, br;q=0.4, zstd;q=0.6', 'as zstd'],
    ['zstd, br', 'as br'],
    ['br;q=0, zstd', 'as zstd'],
    ['identity', script],
    ['*;q=0', script],
  ])('is sent to a client that accepts %j in its preferred coding', async (accepted, body) => {
    const { port } = await serveFiles({ dirs: [client()] })
    const answer = await send(port, '/_waymark/assets/app-1.js', [`accept-encoding: ${accepted}`])
    expect(answer.body).toBe(body)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('has a tag for each coding', async () => {
    const { port } = await serveFiles({ dirs: [client()] })
    const tags = new Set<string | undefined>()
    for (const coding of ['br', 'gzip', 'zstd', 'identity']) {
      const answer = await send(port, '/_waymark/assets/app-1.js', [`accept-encoding: ${coding}`])
      expect(answer.headers.get('content-encoding')).toBe(
        coding === 'identity' ? undefined : coding,
      )
      tags.add(answer.headers.get('etag'))
    }
    expect(tags.size).toBe(4)
  })

  it('that only looks like a compressed file is a separate download', async () => {
    const { port } = await serveFiles({ dirs: [client()] })
    const tar = await send(port, '/archive.tar', ['accept-encoding: gzip'])
    expect([tar.body, tar.headers.has('vary')]).toEqual(['tar', false])
    const packed = await send(port, '/archive.tar.gz', ['accept-encoding: gzip'])
    expect([packed.body, packed.headers.has('content-encoding')]).toEqual(['tar.gz', false])
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('refuses %s', async (method) => {
    const { port } = await serveFiles({ dirs: [client()] })
    const answer = await send(port, '/robots.txt', [], method)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('responds to HEAD as to GET, without the body', async () => {
    const { port } = await serveFiles({ dirs: [client()] })
    for (let time = 0; time < 2; time++) {
      const answer = await send(port, '/robots.txt', [], 'HEAD')
      expect([answer.status, answer.body]).toEqual([200, ''])
      expect(answer.headers.get('content-length')).toBe('14')
    }
  })

  it('in the first folder wins', async () => {
    const dirs = [
      temporaryFolder({ 'a.txt': 'first' }),
      temporaryFolder({ 'a.txt': 'second', 'b.txt': '' }),
    ]
    const { port } = await serveFiles({ dirs })
    expect((await send(port, '/a.txt')).body).toBe('first')
    expect((await send(port, '/b.txt')).status).toBe(200)
  })

  it('that is deleted while the server runs is a plain 404', async () => {
    const folder = temporaryFolder({ 'a.txt': 'a' })
    const { port } = await serveFiles({ dirs: [folder] })
    rmSync(join(folder, 'a.txt'))
    const answer = await send(port, '/a.txt')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  it('for which proxy.ts runs goes to the handler, with any name and method', async () => {
    const folder = temporaryFolder({
      'admin/a.txt': 'a',
      'admin/a.txt.br': 'a as br',
      'b.txt': 'b',
      '_waymark/assets/c-12345678.js': 'c',
    })
    const isProxied = (pathname: string) => pathname.endsWith('a.txt') || pathname.endsWith('.js')
    const { port, files } = await serveFiles({ dirs: [folder], isProxied })
    for (const target of ['/admin/a.txt', '/admin/%61.txt', '/admin/a.txt?x', '/admin/a.txt.br']) {
      expect((await send(port, target)).status).toBe(299)
      expect((await send(port, target, [], 'POST')).status).toBe(299)
    }
    expect((await send(port, '/b.txt')).body).toBe('b')
    expect((await send(port, '/_waymark/assets/c-12345678.js')).body).toBe('c')
    expect(files.hasFile('/admin/a.txt')).toBe(true)
    expect(files.hasFile('/admin/a.txt.br')).toBe(false)
  })
})
