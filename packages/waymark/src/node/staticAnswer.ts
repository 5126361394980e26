import type { IncomingMessage, ServerResponse } from 'node:http'
import { evaluateConditions, hasConditions, type Outcome } from './conditions.ts'
import type { OpenedSource } from './openSource.ts'
import { pumpBody } from './pump.ts'
import { refuse } from './refuse.ts'
import type { Source } from './staticEntry.ts'

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
