import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { send, serveFiles } from './testing/servers.ts'

const client = () => temporaryFolder({ '_waymark/assets/app-1.js': '1', 'robots.txt': 'x' })

describe('a missing or hidden file', () => {
  it.each([
    '/_waymark/assets/gone.js',
    '/_waymark/assets/',
    '/_waymark/%61ssets/gone.js',
    '/_waymark/assets/..%2f..%2frobots.txt',
    '/_waymark/assets/../../../etc/passwd',
    '/_waymark/assets/%00',
  ])('below the assets is a plain 404, never a page: %s', async (target) => {
    const { port } = await serveFiles({ dirs: [client()] })
    const answer = await send(port, target, ['accept: text/html'])
    expect([answer.status, answer.body]).toEqual([404, '404 Not Found\n'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/a/../robots.txt',
    '//robots.txt',
    '/robots.txt%00',
    '/robots.txt%00.js',
    '/robots.txt/',
    '/ROBOTS.TXT',
    '/.env',
    '/%2eenv',
    '/linked.txt',
    '/linkedFolder/secret.txt',
    '/constructor',
    '/__proto__',
    '/%E0%A4%A',
  ])('elsewhere goes to the handler: %s', async (target) => {
    const outer = temporaryFolder({ 'secret.txt': 'secret', 'public/robots.txt': 'x' })
    const folder = join(outer, 'public')
    writeFileSync(join(folder, '.env'), 'secret')
    symlinkSync(join(outer, 'secret.txt'), join(folder, 'linked.txt'))
    symlinkSync(outer, join(folder, 'linkedFolder'))
    const { port } = await serveFiles({ dirs: [folder] })
    const answer = await send(port, target)
    expect([answer.status, answer.body]).toEqual([299, 'handler'])
  })

  it('that was replaced by a symbolic link after the start is not followed', async () => {
    const outer = temporaryFolder({ 'secret.txt': 'secret', 'public/a.txt': 'a' })
    const { port } = await serveFiles({ dirs: [join(outer, 'public')] })
    rmSync(join(outer, 'public/a.txt'))
    symlinkSync(join(outer, 'secret.txt'), join(outer, 'public/a.txt'))
    expect((await send(port, '/a.txt')).status).toBe(404)
  })

  it('that became a folder does not cause a crash', async () => {
    const folder = temporaryFolder({ 'a.txt': 'a' })
    const errors: unknown[] = []
    const { port } = await serveFiles({ dirs: [folder], onError: (error) => errors.push(error) })
    rmSync(join(folder, 'a.txt'))
    mkdirSync(join(folder, 'a.txt'))
    expect((await send(port, '/a.txt')).status).toBe(404)
  })
})
