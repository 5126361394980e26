import type { IncomingMessage, ServerResponse } from 'node:http'
import { evaluateConditions, hasConditions, type Outcome } from './conditions.ts'
import { type Keeping, type OpenedSource, openSource } from './openSource.ts'
import { pumpBody } from './pump.ts'
import { refuse } from './refuse.ts'
import type { Rendition, Source, StaticEntry } from './staticEntry.ts'

/**
 * Sends a rendition that is kept in memory.
 * @returns false when it is not kept
 */
export function sendKept(
  req: IncomingMessage,
  res: ServerResponse,
  entry: StaticEntry,
  rendition: Rendition,
): boolean {
  const { kept } = rendition
  if (kept === null || kept.bytes === null) return false
  if (entry.status !== 200 || !hasConditions(req.headers)) {
    // Node does not change the array.
    res.writeHead(entry.status, kept.fullHeaders as string[])
    if (req.method === 'HEAD') res.end()
    else res.end(kept.bytes)
    return true
  }
  const outcome = evaluateConditions(req.method, req.headers, kept.validators)
  if (writeHeadFor(res, entry, kept, outcome)) {
    const [first, last] = bounds(outcome, kept)
    res.end(kept.bytes.subarray(first, last + 1))
  }
  return true
}

/**
 * Opens a rendition, keeps it when it may be kept, and sends it.
 * @returns settles when the response is over; rejects when the file can't be read
 */
export async function sendFromDisk(
  req: IncomingMessage,
  res: ServerResponse,
  opened: { entry: StaticEntry; rendition: Rendition; keeping: Keeping },
): Promise<void> {
  const { entry, rendition, keeping } = opened
  const found = await openSource(entry, rendition, keeping)
  if (found === null) {
    refuse(res, 404)
    return
  }
  await sendOpened(req, res, entry, found)
}

async function sendOpened(
  req: IncomingMessage,
  res: ServerResponse,
  entry: StaticEntry,
  { source, file }: OpenedSource,
): Promise<void> {
  try {
    const isPlain = entry.status !== 200 || !hasConditions(req.headers)
    const outcome: Outcome = isPlain
      ? { kind: 'full' }
      : evaluateConditions(req.method, req.headers, source.validators)
    if (!writeHeadFor(res, entry, source, outcome)) return
    const [start, end] = bounds(outcome, source)
    if (file === null) {
      res.end(source.bytes?.subarray(start, end + 1))
      return
    }
    const stream = file.createReadStream({ start, end, autoClose: false })
    await pumpBody(res, stream[Symbol.asyncIterator]())
    stream.destroy()
  } finally {
    await file?.close()
  }
}

/** @returns whether a body is to follow */
function writeHeadFor(
  res: ServerResponse,
  entry: StaticEntry,
  source: Source,
  outcome: Outcome,
): boolean {
  const { size } = source.validators
  switch (outcome.kind) {
    case 'notModified':
      res.writeHead(304, source.notModifiedHeaders as string[])
      res.end()
      return false
    case 'preconditionFailed':
      refuse(res, 412)
      return false
    case 'unsatisfiable':
      refuse(res, 416, ['content-range', `bytes */${size}`])
      return false
    case 'range':
      res.writeHead(206, rangeHeaders(source, outcome.first, outcome.last))
      return true
    case 'full':
      res.writeHead(entry.status, source.fullHeaders as string[])
      if (res.req.method !== 'HEAD') return true
      res.end()
      return false
  }
}

function rangeHeaders(source: Source, first: number, last: number): string[] {
  // The last line of the full answer is its content-length.
  const lines = source.fullHeaders.slice(0, -2)
  const range = `bytes ${first}-${last}/${source.validators.size}`
  return [...lines, 'content-range', range, 'content-length', String(last - first + 1)]
}

/** The first and the last byte to send; for a file without bytes the last is -1. */
function bounds(outcome: Outcome, source: Source): [first: number, last: number] {
  return outcome.kind === 'range' ? [outcome.first, outcome.last] : [0, source.validators.size - 1]
}
