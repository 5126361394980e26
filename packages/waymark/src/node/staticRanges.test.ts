import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { send, serveFiles, until } from './testing/servers.ts'

describe.each([
  ['kept', {}],
  ['read from disk', { maxCachedFileBytes: 0 }],
])('a range of a file that is %s', (_name, limits) => {
  const digits = '0123456789'.repeat(30_000)
  let folder = ''
  const serve = () => {
    folder = temporaryFolder({ 'digits.txt': digits })
    return serveFiles({ dirs: [folder], ...limits })
  }

  it('is sent as a range', async () => {
    const { port } = await serve()
    for (let time = 0; time < 2; time++) {
      const answer = await send(port, '/digits.txt', ['range: bytes=299995-'])
      expect([answer.status, answer.body]).toEqual([206, '56789'])
      expect(answer.headers.get('content-range')).toBe('bytes 299995-299999/300000')
      expect(answer.headers.get('content-length')).toBe('5')
    }
  })

  it('is the whole file if several ranges are requested', async () => {
    const { port } = await serve()
    const answer = await send(port, '/digits.txt', ['range: bytes=0-1,5-6'])
    expect([answer.status, answer.body.length]).toEqual([200, 300_000])
  })

  it('is a 416 if it does not exist', async () => {
    const { port } = await serve()
    const answer = await send(port, '/digits.txt', ['range: bytes=300000-'])
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe('bytes */300000')
  })

  it('depends on If-Range', async () => {
    const { port } = await serve()
    const etag = (await send(port, '/digits.txt', [], 'HEAD')).headers.get('etag')
    const same = await send(port, '/digits.txt', ['range: bytes=0-1', `if-range: ${etag}`])
    expect([same.status, same.body]).toEqual([206, '01'])
    const other = await send(port, '/digits.txt', ['range: bytes=0-1', 'if-range: "x"'])
    expect([other.status, other.body.length]).toEqual([200, 300_000])
  })

  it('is ignored for HEAD', async () => {
    const { port } = await serve()
    const answer = await send(port, '/digits.txt', ['range: bytes=0-1'], 'HEAD')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '300000'])
  })
})

describe('memory', () => {
  it('stores files up to the limits, and others are read each time', async () => {
    const folder = temporaryFolder({ a: 'a'.repeat(60), b: 'b'.repeat(60), c: 'c'.repeat(101) })
    const { port, files } = await serveFiles({
      dirs: [folder],
      maxCachedBytes: 100,
      maxCachedFileBytes: 100,
    })
    expect(files.cachedBytes()).toBe(0)
    for (let time = 0; time < 3; time++) {
      for (const name of ['a', 'b', 'c']) expect((await send(port, `/${name}`)).status).toBe(200)
    }
    expect(files.cachedBytes()).toBe(60)
  })

  it('does not keep files open for clients that left', async () => {
    const folder = temporaryFolder({ big: Buffer.alloc(20_000_000) })
    const { port } = await serveFiles({ dirs: [folder] })
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const leaving = new AbortController()
        const response = await fetch(`http://127.0.0.1:${port}/big`, { signal: leaving.signal })
        leaving.abort()
        await response.text().catch(() => {})
      }),
    )
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === join(folder, 'big')
        } catch {
          // The file handle was closed while the test waited.
          return false
        }
      })
    await until(() => openFiles().length === 0)
  })
})
