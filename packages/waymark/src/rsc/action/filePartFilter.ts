import type { BodyFilter } from '../request/readBody.ts'
import type { FileRules } from './fileRules.ts'

/** Maximum bytes that may arrive beyond the limit of a body, because the filter drops them. */
const maxDroppedBytes = 32_000_000

/** Maximum bytes of the head of a part. A longer head ends the filtering, and the limit of the whole body applies. */
const maxHeadBytes = 16_384

/**
 * Pieces are collected while they are smaller than this part of the bytes that wait, because filtering copies those
 * bytes. A client may send a head of 16 kB byte by byte.
 */
const minPart = 1 / 16

const headEnd = '\r\n\r\n'

/**
 * Creates a filter for multipart bodies (RFC 7578). It drops the bytes of files beyond the limits of their rules while
 * the body arrives, so they never take memory. One byte more than the limit stays, so that the check of the rules
 * refuses the file. The form can then show its error next to the field, and the typed text stays.
 */
export function createFilePartFilter(boundary: string, rules: FileRules): BodyFilter {
  const delimiter = `\r\n--${boundary}`
  const counts = new Map<string, number>()
  // The delimiter starts with a line break, which the first delimiter of a body doesn't have.
  let pending = Buffer.from('\r\n')
  let pieces: Uint8Array[] = []
  let piecesBytes = 0
  let skippedBytes = pending.byteLength
  let state: 'head' | 'data' | 'unfiltered' = 'data'
  let allowedBytes = Number.POSITIVE_INFINITY

  function allowedBytesOf(head: string): number {
    const field = readFileField(head)
    if (field === null || !Object.hasOwn(rules, field)) return Number.POSITIVE_INFINITY
    const { maxBytes = 0, maxFiles = 1 } = rules[field] ?? {}
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    return count > maxFiles ? 1 : maxBytes + 1
  }

  function filterAll(bytes: Buffer): Buffer[] {
    const allowed: Buffer[] = []
    let at = 0
    const keepData = (end: number) => {
      allowed.push(bytes.subarray(at, Math.min(end, at + allowedBytes)))
      allowedBytes -= end - at
      if (allowedBytes < 0) allowedBytes = 0
      at = end
    }
    while (state !== 'unfiltered') {
      if (state === 'head') {
        const end = bytes.indexOf(headEnd, at)
        if (end === -1) {
          if (bytes.byteLength - at > maxHeadBytes) state = 'unfiltered'
          break
        }
        const afterHead = end + headEnd.length
        allowedBytes = allowedBytesOf(bytes.toString('utf8', at, afterHead))
        allowed.push(bytes.subarray(at, afterHead))
        at = afterHead
        state = 'data'
      }
      const next = bytes.indexOf(delimiter, at)
      if (next === -1) {
        // The end of the bytes may be the start of a delimiter.
        keepData(Math.max(at, bytes.byteLength - delimiter.length + 1))
        break
      }
      keepData(next)
      allowed.push(bytes.subarray(at, at + delimiter.length))
      at += delimiter.length
      state = 'head'
    }
    if (state === 'unfiltered') {
      allowed.push(bytes.subarray(at))
      at = bytes.byteLength
    }
    pending = Buffer.from(bytes.subarray(at))
    return allowed
  }

  function withoutSkipped(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    const skipped = Math.min(skippedBytes, bytes.byteLength)
    skippedBytes -= skipped
    return bytes.subarray(skipped)
  }

  function filterPieces(): Buffer<ArrayBuffer> {
    const bytes = Buffer.concat([pending, ...pieces])
    pieces = []
    piecesBytes = 0
    return withoutSkipped(Buffer.concat(filterAll(bytes)))
  }

  return {
    maxDroppedBytes,
    filter(piece) {
      pieces.push(piece)
      piecesBytes += piece.byteLength
      return piecesBytes < pending.byteLength * minPart ? nothing : filterPieces()
    },
    flush: () => Buffer.concat([filterPieces(), withoutSkipped(Buffer.from(pending))]),
  }
}

const nothing = Buffer.alloc(0)

/** Reads the name of a field from the head of its part. @returns `null` if the part isn't a file */
function readFileField(head: string): string | null {
  const [, disposition = ''] = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head) ?? []
  if (!/(?:^|;)\s*filename\*?=/i.test(disposition)) return null
  const [, quoted, plain = ''] = /(?:^|;)\s*name=(?:"([^"]*)"|([^\s;]*))/i.exec(disposition) ?? []
  const name = quoted ?? plain
  // React adds the number of the argument to the names of the fields in a call.
  return name
    .replace(/^_\d+_/, '')
    .replace(/%22/g, '"')
    .replace(/%0D%0A/gi, '\r\n')
}
