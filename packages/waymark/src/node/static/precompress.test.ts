import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { precompress } from './precompress.ts'

const script = 'console.log("hello")\n'.repeat(200)
const noise = () => Buffer.from(Array.from({ length: 5000 }, () => Math.random() * 256))
const hasZstd = 'zstdCompress' in zlib
const codings = hasZstd ? 3 : 2

describe('precompress', () => {
  it('writes siblings that hold the same', async () => {
    const folder = temporaryFolder({ 'assets/a.js': script })
    const counts = await precompress(folder)
    expect(counts).toEqual({ considered: 1, written: codings, upToDate: 0 })
    const read = (suffix: string) => readFileSync(join(folder, `assets/a.js${suffix}`))
    expect(zlib.brotliDecompressSync(read('.br')).toString()).toBe(script)
    expect(zlib.gunzipSync(read('.gz')).toString()).toBe(script)
    expect(existsSync(join(folder, 'assets/a.js.zst'))).toBe(hasZstd)
    // Node 20 has no zstd, nor have its types.
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }
    if (zstdDecompressSync) expect(zstdDecompressSync(read('.zst')).toString()).toBe(script)
  })

  it('leaves out small files, media, noise and what is not wanted', async () => {
    const folder = temporaryFolder({
      'small.js': 'x',
      'image.png': script,
      'noise.txt': noise(),
      'other.js': script,
    })
    const counts = await precompress(folder, { isWanted: (file) => file !== 'other.js' })
    expect(counts).toEqual({ considered: 1, written: 0, upToDate: 0 })
  })

  it('skips what is up to date and renews what is not', async () => {
    const folder = temporaryFolder({ 'a.js': script, 'b.js': script })
    await precompress(folder)
    writeFileSync(join(folder, 'b.js'), `${script}//`)
    utimesSync(join(folder, 'b.js'), 1_000_000, 1_000_000)
    const counts = await precompress(folder)
    expect(counts).toEqual({ considered: 2, written: codings, upToDate: codings })
    expect(zlib.gunzipSync(readFileSync(join(folder, 'b.js.gz'))).toString()).toBe(`${script}//`)
    expect(statSync(join(folder, 'b.js.gz')).mtimeMs).toBe(1_000_000_000)
  })

  it('removes the sibling of a file that no longer gets smaller', async () => {
    const folder = temporaryFolder({ 'a.txt': script })
    await precompress(folder)
    writeFileSync(join(folder, 'a.txt'), noise())
    utimesSync(join(folder, 'a.txt'), 1_000_000, 1_000_000)
    await precompress(folder)
    expect(existsSync(join(folder, 'a.txt.br'))).toBe(false)
  })
})
