import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createSource, type Rendition, type Source } from './staticEntry.ts'

/** What may be kept in memory, and what is. */
export type FileBuffering = {
  readonly maxFileBytes: number
  readonly maxBytes: number
  keptBytes: number
}

/** A source whose bytes are in memory, or that comes with its open file. */
export type OpenedSource = { readonly source: Source; readonly file: FileHandle | null }

// A link put in a file's place after the start is not followed either. Windows has no such flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a rendition. A small file is read and kept while there is room; of a large one the file
 * is handed over open, for the caller to close.
 * @returns `null` when the file is gone
 */
export async function openSource(
  rendition: Rendition,
  keeping: FileBuffering,
): Promise<OpenedSource | null> {
  const file = await openFile(rendition.path)
  if (file === null) return null
  let isHandedOver = false
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return null
    const { size, mtimeMs } = stats
    if (size <= keeping.maxFileBytes) {
      const bytes = await file.readFile()
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      const validators = { etag, modifiedAtMs: mtimeMs, size: bytes.byteLength }
      const source = createSource(rendition, validators, bytes)
      keep(rendition, source, keeping)
      return { source, file: null }
    }
    // Hashing a large file would delay its first byte; a build never writes one in place.
    const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}-${rendition.encoding}"`
    const validators = { etag, modifiedAtMs: mtimeMs, size }
    isHandedOver = true
    return { source: createSource(rendition, validators, null), file }
  } finally {
    if (!isHandedOver) await file.close()
  }
}

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, openFlags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return null
    throw error
  }
}

function keep(rendition: Rendition, source: Source, keeping: FileBuffering): void {
  const { size } = source.validators
  if (rendition.kept !== null || keeping.keptBytes + size > keeping.maxBytes) return
  keeping.keptBytes += size
  rendition.kept = source
}
