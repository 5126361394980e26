import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
  it('writes compressed files with the same content', async () => {
    const folder = temporaryFolder({ 'assets/a.js': script })
    const counts = await precompress(folder)
    expect(counts).toEqual({ considered: 1, written: codings, reused: 0 })
    const read = (suffix: string) => readFileSync(join(folder, `assets/a.js${suffix}`))
    expect(zlib.brotliDecompressSync(read('.br')).toString()).toBe(script)
    expect(zlib.gunzipSync(read('.gz')).toString()).toBe(script)
    expect(existsSync(join(folder, 'assets/a.js.zst'))).toBe(hasZstd)
    // Node 20 has no zstd, so its types lack it, too.
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }
    if (zstdDecompressSync) expect(zstdDecompressSync(read('.zst')).toString()).toBe(script)
  })

  it('leaves out small files, media, noise and files that are filtered out', async () => {
    const folder = temporaryFolder({
      'small.js': 'x',
      'image.png': script,
      'noise.txt': noise(),
      'other.js': script,
    })
    const counts = await precompress(folder, { isWanted: (file) => file !== 'other.js' })
    expect(counts).toEqual({ considered: 1, written: 0, reused: 0 })
  })

  it('copies compressed files if the original is the same as in an earlier run', async () => {
    const earlier = temporaryFolder({ 'a.js': script, 'b.js': script })
    await precompress(earlier)
    writeFileSync(join(earlier, 'a.js.gz'), 'of the earlier run')
    const folder = temporaryFolder({ 'a.js': script, 'b.js': `${script}//`, 'c.js': script })
    const counts = await precompress(folder, { earlier })
    expect(counts).toEqual({ considered: 3, written: 2 * codings, reused: codings })
    expect(readFileSync(join(folder, 'a.js.gz'), 'utf8')).toBe('of the earlier run')
    expect(zlib.gunzipSync(readFileSync(join(folder, 'b.js.gz'))).toString()).toBe(`${script}//`)
  })

  it('compresses long files, too', async () => {
    const long = script.repeat(100)
    const folder = temporaryFolder({ 'a.js': long })
    expect(await precompress(folder)).toMatchObject({ written: codings })
    expect(zlib.brotliDecompressSync(readFileSync(join(folder, 'a.js.br'))).toString()).toBe(long)
  })

  it('removes the compressed file if it would no longer be smaller', async () => {
    const folder = temporaryFolder({ 'a.txt': script })
    await precompress(folder)
    writeFileSync(join(folder, 'a.txt'), noise())
    await precompress(folder)
    expect(existsSync(join(folder, 'a.txt.br'))).toBe(false)
  })
})
