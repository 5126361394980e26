import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { codings, type Encoding } from '../../http/contentCoding.ts'
import { listFiles } from './manifest.ts'
import { contentTypeOf, isCompressible } from './mediaTypes.ts'

/** Numbers of files that were considered, written and reused. */
export type Precompressed = {
  /** Files that are worth compressing, by type and size. */
  readonly considered: number
  /** Compressed files that were written. */
  readonly written: number
  /** Compressed files that were copied from an earlier run. */
  readonly reused: number
}

export type PrecompressOptions = {
  /** Selects files by their path relative to the folder. Default: all files. */
  readonly isWanted?: (file: string) => boolean
  /**
   * Brotli quality, from 0 to 11. Quality 11, the default, takes a hundred times as long as 6.
   * Below 10, zstd uses a fast level, too.
   */
  readonly brotliQuality?: number
  /**
   * Folder of an earlier run. A compressed file is copied from there if its original is the same.
   */
  readonly earlier?: string
}

type Compress = (bytes: Buffer) => Buffer | Promise<Buffer>
type Compressors = { readonly [Coding in Encoding]?: Compress | undefined }
type Counts = { -readonly [Name in keyof Precompressed]: number }

// Files below this size aren't compressed, because the headers would outweigh the gain.
const minBytes = 1024
const maxRatio = 0.95

/**
 * Writes compressed `.br`, `.gz` and, if Node supports zstd, `.zst` files, unless they are hardly
 * smaller.
 */
export async function precompress(
  folder: string,
  { isWanted = () => true, brotliQuality = 11, earlier }: PrecompressOptions = {},
): Promise<Precompressed> {
  const files = listFiles(folder).filter(
    (file) => isCompressible(contentTypeOf(file)) && isWanted(file),
  )
  const compressors = createCompressors(brotliQuality)
  const counts = { considered: 0, written: 0, reused: 0 }
  const compressNext = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const before = earlier === undefined ? null : join(earlier, file)
      await compressFile(join(folder, file), before, { compressors, counts })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, compressNext))
  return counts
}

/** Compresses a file. @param before path of the same file in an earlier run */
async function compressFile(
  path: string,
  before: string | null,
  { compressors, counts }: { readonly compressors: Compressors; readonly counts: Counts },
): Promise<void> {
  const bytes = readFileSync(path)
  if (bytes.byteLength < minBytes) return
  counts.considered++
  const isSame = before !== null && existsSync(before) && readFileSync(before).equals(bytes)
  for (const { encoding, suffix } of codings) {
    const compress = compressors[encoding]
    if (compress === undefined) continue
    if (isSame && existsSync(before + suffix)) {
      // If this build is stopped, the earlier build is restored, so copy the file instead of moving
      // it.
      copyFileSync(before + suffix, path + suffix)
      counts.reused++
      continue
    }
    const compressed = await compress(bytes)
    if (compressed.byteLength > bytes.byteLength * maxRatio) {
      // The server would send an outdated compressed file instead of this file, so delete it.
      rmSync(path + suffix, { force: true })
      continue
    }
    writeFileSync(path + suffix, compressed)
    counts.written++
  }
}

// Maximum bytes to compress in this thread. For a file of 2 kB, Node's thread pool takes three
// times as much CPU.
const maxBytesInThisThread = 2 ** 16
const slowQuality = 9
const slowBytesInThisThread = 2 ** 11

function createCompressors(brotliQuality: number): Compressors {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = zlib.constants
  return {
    br: createCompress({
      now: zlib.brotliCompressSync,
      later: promisify(zlib.brotliCompress),
      optionsFor: (bytes) => ({
        params: { [quality]: brotliQuality, [size]: bytes.byteLength },
      }),
      maxBytes: brotliQuality > slowQuality ? slowBytesInThisThread : maxBytesInThisThread,
    }),
    zstd: createZstd(brotliQuality > slowQuality ? zstdLevels.small : zstdLevels.quick),
    gzip: createCompress({
      now: zlib.gzipSync,
      later: promisify(zlib.gzip),
      optionsFor: () => ({ level: 9 }),
    }),
  }
}

type Coding<Options> = {
  now(bytes: Buffer, options: Options): Buffer
  later(bytes: Buffer, options: Options): Promise<Buffer>
  optionsFor(bytes: Buffer): Options
  readonly maxBytes?: number
}

function createCompress<Options>(coding: Coding<Options>): Compress {
  const { now, later, optionsFor, maxBytes = maxBytesInThisThread } = coding
  return (bytes) => (bytes.byteLength > maxBytes ? later : now)(bytes, optionsFor(bytes))
}

type ZstdOptions = { params: Record<number, number>; pledgedSrcSize: number }

// Node 20 has no zstd, so its types don't either.
type Zstd = {
  zstdCompressSync?(bytes: Buffer, options: ZstdOptions): Buffer
  zstdCompress(
    bytes: Buffer,
    options: ZstdOptions,
    done: (error: Error | null, compressed: Buffer) => void,
  ): void
  constants: { ZSTD_c_compressionLevel: number }
}

// Above level 19, a browser may have to refuse the window size (RFC 9659). For a page of 15 kB,
// level 12 takes a tenth of level 19's time, and the result is 5 % larger.
const zstdLevels = { small: 19, quick: 12 }

function createZstd(level: number): Compress | undefined {
  const { zstdCompressSync, zstdCompress, constants } = zlib as unknown as Zstd
  if (zstdCompressSync === undefined) return undefined
  const params = { [constants.ZSTD_c_compressionLevel]: level }
  return createCompress({
    now: zstdCompressSync,
    later: promisify(zstdCompress),
    // Without the size, zstd prepares for endless input: a file of 2 kB then takes 70 ms instead of
    // 0.5 ms.
    optionsFor: ({ byteLength }) => ({ params, pledgedSrcSize: byteLength }),
  })
}
