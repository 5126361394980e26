import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusedResponseLines } from '../../builds/cacheControl.ts'
import { type ConditionOutcome, evaluateConditions } from '../../http/conditionalRequest.ts'
import { chooseVariant, createAcceptedEncodings } from '../../http/contentCoding.ts'
import type { HeaderLines } from '../../http/response.ts'
import { rangeResponseLines } from '../../http/storedResponse.ts'
import { refuse } from '../refuse.ts'
import { pumpBody } from '../writeResponse.ts'
import {
  createSource,
  type Rendition,
  type Source,
  type StaticFile,
  withAge,
  withHeaders,
} from './staticFile.ts'

export type StaticSenderOptions = {
  /** Maximum bytes of a file that is cached. Larger files are read from disk each time. Default: 256 KB. */
  readonly maxCachedFileBytes?: number
  /** Maximum bytes of all cached files. Default: 64 MB. */
  readonly maxCachedBytes?: number
  readonly onError?: (error: unknown) => void
}

export type SendOptions = {
  /** Additional header lines, which override the file's own. */
  readonly added?: HeaderLines
  /** Seconds since the page was rendered. If missing or `null`, no `age` is sent. */
  readonly ageSeconds?: number | null
}

export function createStaticSender({
  maxCachedFileBytes = 256 * 1024,
  maxCachedBytes = 64 * 1024 * 1024,
  onError,
}: StaticSenderOptions) {
  let cachedBytes = 0
  const acceptedEncodings = createAcceptedEncodings()

  async function sendFromDisk(
    res: ServerResponse,
    file: StaticFile,
    rendition: Rendition,
    shape: (source: Source) => Source,
  ): Promise<void> {
    const handle = await openFile(rendition.path)
    if (handle === null) return refuse(res, 404)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return refuse(res, 404)
      if (stats.size > maxCachedFileBytes) {
        return await streamFile(res, shape(sourceOf(file, rendition, stats, null)), handle)
      }
      const source = sourceOf(file, rendition, stats, await handle.readFile())
      const { size } = source.validators
      if (rendition.source === null && cachedBytes + size <= maxCachedBytes) {
        cachedBytes += size
        rendition.source = source
      }
      sendBytes(res, shape(source))
    } finally {
      await handle.close()
    }
  }

  return {
    cachedBytes: () => cachedBytes,
    send(
      req: IncomingMessage,
      res: ServerResponse,
      file: StaticFile,
      { added = [], ageSeconds = null }: SendOptions = {},
    ): void {
      // Node joins repeated lines of this header, so it is always one string.
      const header = req.headers['accept-encoding'] as string | undefined
      const rendition = chooseVariant(file.renditions, acceptedEncodings(header))
      const shape = (source: Source) =>
        withHeaders(ageSeconds === null ? source : withAge(source, ageSeconds), added)
      if (rendition.source !== null) return void sendBytes(res, shape(rendition.source))
      sendFromDisk(res, file, rendition, shape).catch((error: unknown) => {
        onError?.(error)
        if (res.headersSent) res.destroy()
        else refuse(res, 500)
      })
    },
  }
}

// Don't follow a symbolic link that has replaced the file since the server started. Windows lacks
// this flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, openFlags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return null
    throw error
  }
}

function sourceOf(
  file: StaticFile,
  { encoding }: Rendition,
  { size, mtimeMs }: Stats,
  bytes: Buffer | null,
): Source {
  // Hashing a large file would delay the first byte, so derive its tag from its metadata. A build
  // never changes a file in place.
  const tag = bytes
    ? createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    : `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}-${encoding}`
  const validators = {
    etag: `"${tag}"`,
    modifiedAtMs: mtimeMs,
    size: bytes?.byteLength ?? size,
  }
  return createSource(file, encoding, { validators, bytes })
}

function sendBytes(res: ServerResponse, source: Source): void {
  const outcome = sendHead(res, source)
  if (outcome === null) return
  const bytes = source.bytes as Buffer
  res.end(outcome.kind === 'range' ? bytes.subarray(outcome.first, outcome.last + 1) : bytes)
}

async function streamFile(res: ServerResponse, source: Source, handle: FileHandle): Promise<void> {
  const outcome = sendHead(res, source)
  if (outcome === null) return
  const whole = { first: 0, last: source.validators.size - 1 }
  const { first: start, last: end } = outcome.kind === 'range' ? outcome : whole
  const stream = handle.createReadStream({ start, end, autoClose: false })
  await pumpBody(res, stream[Symbol.asyncIterator]()).finally(() => stream.destroy())
}

/**
 * Sends a response's head.
 * @returns the range of bytes to send; `null` if the response needs no body
 */
function sendHead(res: ServerResponse, source: Source): ConditionOutcome | null {
  const outcome = outcomeFor(res.req, source)
  switch (outcome.kind) {
    case 'notModified':
      res.writeHead(304, source.notModifiedHeaders as string[])
      res.end()
      return null
    case 'preconditionFailed':
      refuseCondition(res, 412, source)
      return null
    case 'unsatisfiable':
      refuseCondition(res, 416, source)
      return null
    case 'range':
      res.writeHead(206, rangeResponseLines(source.fullHeaders, outcome, source.validators.size))
      return outcome
    case 'full':
      // Node's type requires a mutable array, but Node doesn't change it.
      res.writeHead(source.status, source.fullHeaders as string[])
      if (res.req.method !== 'HEAD') return outcome
      res.end()
      return null
  }
}

function refuseCondition(
  res: ServerResponse,
  status: 412 | 416,
  { fullHeaders, validators }: Source,
): void {
  refuse(res, status, refusedResponseLines(fullHeaders, status, validators.size))
}

// Evaluates the request's conditions, which apply only to successful responses. RFC 9110 §13.2.1
function outcomeFor({ method, headers }: IncomingMessage, source: Source): ConditionOutcome {
  if (source.status !== 200) return { kind: 'full' }
  return evaluateConditions(method, headers, source.validators)
}
