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

/** Sends entries, from memory where their bytes are kept. */
export type StaticSender = {
  send(req: IncomingMessage, res: ServerResponse, entry: StaticFile, options?: SendOptions): void
  keptBytes(): number
}

/** What is sent with an entry. */
export type SendOptions = {
  /** Put over its own header lines. */
  readonly added?: HeaderLines
  /** Since it was rendered; without it, no age is told. */
  readonly ageSeconds?: number | null
}

/** How much stays in memory. */
export type StaticSenderOptions = {
  readonly maxKeptFileBytes?: number
  readonly maxKeptBytes?: number
  readonly onError?: (error: unknown) => void
}

/** Makes the sender. */
export function createStaticSender(options: StaticSenderOptions): StaticSender {
  const keeping: FileBuffering = {
    maxFileBytes: options.maxKeptFileBytes ?? 256 * 1024,
    maxBytes: options.maxKeptBytes ?? 64 * 1024 * 1024,
    keptBytes: 0,
  }
  const acceptedEncodings = createAcceptedEncodings()

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    entry: StaticFile,
    { added = [], ageSeconds = null }: SendOptions = {},
  ): void {
    const rendition = chooseRendition(entry, req, acceptedEncodings)
    const shaped = (source: Source) => {
      const told = ageSeconds === null ? source : withAge(source, ageSeconds)
      return added.length === 0 ? told : withHeaders(told, added)
    }
    if (rendition.kept !== null) {
      sendCached(req, res, shaped(rendition.kept))
      return
    }
    sendFromDisk(req, res, openSource(rendition, keeping), shaped).catch((error: unknown) => {
      options.onError?.(error)
      if (res.headersSent) res.destroy()
      else refuse(res, 500)
    })
  }

  return { send, keptBytes: () => keeping.keptBytes }
}

async function sendFromDisk(
  req: IncomingMessage,
  res: ServerResponse,
  opening: Promise<OpenedSource | null>,
  shaped: (source: Source) => Source,
): Promise<void> {
  const opened = await opening
  if (opened === null) refuse(res, 404)
  else await sendOpened(req, res, { ...opened, source: shaped(opened.source) })
}

function chooseRendition(
  entry: StaticFile,
  req: IncomingMessage,
  acceptedEncodings: (header: string | undefined) => readonly Encoding[],
): Rendition {
  const [identity, ...coded] = entry.renditions as [Rendition, ...Rendition[]]
  if (coded.length === 0) return identity
  for (const encoding of acceptedEncodings(req.headers['accept-encoding'] as string | undefined)) {
    const rendition = entry.renditions.find((each) => each.encoding === encoding)
    if (rendition !== undefined) return rendition
  }
  // A client that refuses all of them gets the plain file rather than a 406.
  return identity
}

/**
 * Sends a source whose bytes are in memory.
 */
export function sendCached(req: IncomingMessage, res: ServerResponse, source: Source): void {
  if (source.bytes === null) throw new Error('A source without bytes is sent from its file.')
  const outcome = outcomeFor(req, source)
  if (!writeHeadFor(res, source, outcome)) return
  if (outcome.kind === 'full') res.end(source.bytes)
  else res.end(source.bytes.subarray(...bounds(outcome, source)))
}

/**
 * Sends a source from its open file when it has one, and closes it.
 * @returns settles when the response is over; rejects when the file can't be read
 */
export async function sendOpened(
  req: IncomingMessage,
  res: ServerResponse,
  { source, file }: OpenedSource,
): Promise<void> {
  if (file === null) {
    sendCached(req, res, source)
    return
  }
  try {
    const outcome = outcomeFor(req, source)
    if (!writeHeadFor(res, source, outcome)) return
    const [start, end] = bounds(outcome, source)
    // A stream's last byte is included; an empty file has none to begin with.
    if (end === 0) {
      res.end()
      return
    }
    const stream = file.createReadStream({ start, end: end - 1, autoClose: false })
    await pumpBody(res, stream[Symbol.asyncIterator]()).finally(() => stream.destroy())
  } finally {
    await file.close()
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
