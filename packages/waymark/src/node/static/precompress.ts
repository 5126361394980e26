import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { listFiles } from './manifest.ts'
import { codings, contentTypeOf, type Encoding, isCompressible } from './mediaTypes.ts'

export type Precompressed = {
  readonly considered: number
  readonly written: number
  readonly upToDate: number
}

export type PrecompressOptions = {
  /** Filters by path relative to the folder. Default: all files. */
  readonly isWanted?: (file: string) => boolean
  /** 0 to 11. The default 11 is the smallest, and a hundred times slower than 6. */
  readonly brotliQuality?: number
}

type Compress = (bytes: Buffer) => Promise<Buffer>
type Compressors = { readonly [Coding in Encoding]?: Compress | undefined }
type Counts = { -readonly [Name in keyof Precompressed]: number }

// Below this size the headers outweigh the gain.
const minBytes = 1024
const maxRatio = 0.95

/**
 * Writes compressed siblings (`.br`, `.gz`, and `.zst` where Node supports it) beside files that
 * become smaller. A sibling gets its file's modification time, so that a later run can skip it.
 */
export async function precompress(
  folder: string,
  { isWanted = () => true, brotliQuality = 11 }: PrecompressOptions = {},
): Promise<Precompressed> {
  const files = listFiles(folder).filter(
    (file) => isCompressible(contentTypeOf(file)) && isWanted(file),
  )
  const compressors = createCompressors(brotliQuality)
  const counts = { considered: 0, written: 0, upToDate: 0 }
  const compressNext = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      await compressFile(join(folder, file), compressors, counts)
    }
  }
  // The work runs in Node's thread pool.
  await Promise.all(Array.from({ length: availableParallelism() }, compressNext))
  return counts
}

async function compressFile(path: string, compressors: Compressors, counts: Counts): Promise<void> {
  const { size, atime, mtime } = await stat(path)
  if (size < minBytes) return
  counts.considered++
  let bytes: Buffer | null = null
  for (const { encoding, suffix } of codings) {
    const compress = compressors[encoding]
    if (compress === undefined) continue
    const sibling = await stat(path + suffix).catch(() => null)
    if (sibling?.mtime.getTime() === mtime.getTime()) {
      counts.upToDate++
      continue
    }
    bytes ??= await readFile(path)
    const compressed = await compress(bytes)
    if (compressed.byteLength > bytes.byteLength * maxRatio) {
      // An outdated sibling would be served as this file.
      await rm(path + suffix, { force: true })
      continue
    }
    await writeFile(path + suffix, compressed)
    await utimes(path + suffix, atime, mtime)
    counts.written++
  }
}

function createCompressors(brotliQuality: number): Compressors {
  const brotli = promisify(zlib.brotliCompress)
  const gzip = promisify(zlib.gzip)
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = zlib.constants
  return {
    br: (bytes) =>
      brotli(bytes, { params: { [quality]: brotliQuality, [size]: bytes.byteLength } }),
    zstd: createZstd(),
    gzip: (bytes) => gzip(bytes, { level: 9 }),
  }
}

// Node 20 has no zstd.
function createZstd(): Compress | undefined {
  const { zstdCompress, constants } = zlib as unknown as {
    zstdCompress?: (
      bytes: Uint8Array,
      options: { params: Record<number, number>; pledgedSrcSize: number },
      done: (error: Error | null, compressed: Buffer) => void,
    ) => void
    constants: { ZSTD_c_compressionLevel: number }
  }
  if (zstdCompress === undefined) return undefined
  // Above 19, a browser may have to refuse the window that it would need (RFC 9659).
  const params = { [constants.ZSTD_c_compressionLevel]: 19 }
  // Without the size, zstd prepares for an endless input: 70 ms for a file of 2 kB, with it 0.5.
  return (bytes) => promisify(zstdCompress)(bytes, { params, pledgedSrcSize: bytes.byteLength })
}
