import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderLines } from '../../shared/response.ts'
import { refuse } from '../refuse.ts'
import { pumpBody } from '../writeResponse.ts'
import { evaluateConditions, hasConditions, type Outcome } from './conditions.ts'
import { createAcceptedEncodings, type Encoding } from './mediaTypes.ts'
import {
  createSource,
  type Rendition,
  type Source,
  type StaticFile,
  withAge,
  withHeaders,
} from './staticFile.ts'

/** Sends static files, from memory where their bytes are cached. */
export type StaticSender = {
  send(req: IncomingMessage, res: ServerResponse, file: StaticFile, options?: SendOptions): void
  cachedBytes(): number
}

/** What is sent with a file. */
export type SendOptions = {
  /** Put over its own header lines. */
  readonly added?: HeaderLines
  /** Since it was rendered; without it, there is no `age`. */
  readonly ageSeconds?: number | null
}

/** How much stays in memory. */
export type StaticSenderOptions = {
  readonly maxCachedFileBytes?: number
  readonly maxCachedBytes?: number
  readonly onError?: (error: unknown) => void
}

type Buffering = { readonly maxFileBytes: number; readonly maxBytes: number; cachedBytes: number }

/** Creates a sender with nothing in memory. */
export function createStaticSender({
  maxCachedFileBytes: maxFileBytes = 256 * 1024,
  maxCachedBytes: maxBytes = 64 * 1024 * 1024,
  onError,
}: StaticSenderOptions): StaticSender {
  const buffering: Buffering = { maxFileBytes, maxBytes, cachedBytes: 0 }
  const acceptedEncodings = createAcceptedEncodings()

  return {
    cachedBytes: () => buffering.cachedBytes,
    send(req, res, file, { added = [], ageSeconds = null } = {}) {
      const rendition = chooseRendition(file, req, acceptedEncodings)
      const shape = (source: Source) =>
        withHeaders(ageSeconds === null ? source : withAge(source, ageSeconds), added)
      if (rendition.source !== null) return sendBytes(req, res, shape(rendition.source))
      openSource(file, rendition, buffering)
        .then((opened) => {
          if (opened === null) return refuse(res, 404)
          const source = shape(opened.source)
          if (opened.handle === null) return sendBytes(req, res, source)
          return streamFile(req, res, source, opened.handle)
        })
        .catch((error: unknown) => {
          onError?.(error)
          if (res.headersSent) res.destroy()
          else refuse(res, 500)
        })
    },
  }
}

function chooseRendition(
  { renditions }: StaticFile,
  req: IncomingMessage,
  acceptedEncodings: (header: string | undefined) => readonly Encoding[],
): Rendition {
  const [identity, ...coded] = renditions as [Rendition, ...Rendition[]]
  if (coded.length === 0) return identity
  for (const encoding of acceptedEncodings(req.headers['accept-encoding'] as string | undefined)) {
    const rendition = renditions.find((each) => each.encoding === encoding)
    if (rendition !== undefined) return rendition
  }
  // A client that refuses all of them gets the plain file rather than a 406.
  return identity
}

function sendBytes(req: IncomingMessage, res: ServerResponse, source: Source): void {
  const outcome = outcomeFor(req, source)
  if (!writeHeadFor(res, source, outcome)) return
  const bytes = source.bytes as Buffer
  res.end(outcome.kind === 'full' ? bytes : bytes.subarray(...bounds(outcome, source)))
}

async function streamFile(
  req: IncomingMessage,
  res: ServerResponse,
  source: Source,
  handle: FileHandle,
): Promise<void> {
  try {
    const outcome = outcomeFor(req, source)
    if (!writeHeadFor(res, source, outcome)) return
    const [start, end] = bounds(outcome, source)
    if (end === 0) return void res.end()
    // A stream's last byte is included.
    const stream = handle.createReadStream({ start, end: end - 1, autoClose: false })
    await pumpBody(res, stream[Symbol.asyncIterator]()).finally(() => stream.destroy())
  } finally {
    await handle.close()
  }
}

// RFC 9110 §13.2.1: conditions count only where the answer would otherwise be a success.
function outcomeFor(req: IncomingMessage, source: Source): Outcome {
  if (source.status !== 200 || !hasConditions(req.headers)) return { kind: 'full' }
  return evaluateConditions(req.method, req.headers, source.validators)
}

/** @returns whether a body is to follow */
function writeHeadFor(res: ServerResponse, source: Source, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'notModified':
      res.writeHead(304, source.notModifiedHeaders as string[])
      res.end()
      return false
    case 'preconditionFailed':
      refuse(res, 412)
      return false
    case 'unsatisfiable':
      refuse(res, 416, ['content-range', `bytes */${source.validators.size}`])
      return false
    case 'range':
      res.writeHead(206, rangeHeaders(source, outcome))
      return true
    case 'full':
      // Node's type asks for an array it may change; it does not.
      res.writeHead(source.status, source.fullHeaders as string[])
      if (res.req.method !== 'HEAD') return true
      res.end()
      return false
  }
}

function rangeHeaders(source: Source, { first, last }: { first: number; last: number }): string[] {
  // The last line of the full answer is its content-length.
  const lines = source.fullHeaders.slice(0, -2)
  const range = `bytes ${first}-${last}/${source.validators.size}`
  return [...lines, 'content-range', range, 'content-length', String(last - first + 1)]
}

function bounds(outcome: Outcome, source: Source): [start: number, end: number] {
  return outcome.kind === 'range' ? [outcome.first, outcome.last + 1] : [0, source.validators.size]
}

// A link put in a file's place after the start is not followed either. Windows has no such flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a rendition. A small file is read, and cached while there is room; a large one comes with
 * its open file, for the caller to close.
 * @returns `null` when the file is gone
 */
async function openSource(
  file: StaticFile,
  rendition: Rendition,
  buffering: Buffering,
): Promise<{ readonly source: Source; readonly handle: FileHandle | null } | null> {
  const { encoding, path } = rendition
  const handle = await openFile(path)
  if (handle === null) return null
  let isHandedOver = false
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return null
    const { size, mtimeMs: modifiedAtMs } = stats
    if (size <= buffering.maxFileBytes) {
      const bytes = await handle.readFile()
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      const validators = { etag, modifiedAtMs, size: bytes.byteLength }
      const source = createSource(file, encoding, { validators, bytes })
      cacheSource(rendition, source, buffering)
      return { source, handle: null }
    }
    // Hashing a large file would delay its first byte; a build never writes one in place.
    const etag = `"${size.toString(36)}-${Math.floor(modifiedAtMs).toString(36)}-${encoding}"`
    const validators = { etag, modifiedAtMs, size }
    isHandedOver = true
    return { source: createSource(file, encoding, { validators, bytes: null }), handle }
  } finally {
    if (!isHandedOver) await handle.close()
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

function cacheSource(rendition: Rendition, source: Source, buffering: Buffering): void {
  const { size } = source.validators
  if (rendition.source !== null || buffering.cachedBytes + size > buffering.maxBytes) return
  buffering.cachedBytes += size
  rendition.source = source
}
