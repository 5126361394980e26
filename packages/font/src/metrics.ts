import { brotliDecompressSync, inflateSync } from 'node:zlib'

/** Metrics of a font, in font units. */
export type FontMetrics = {
  readonly unitsPerEm: number
  readonly ascent: number
  /** Lowest point of the letters. Negative, because it is below the baseline. */
  readonly descent: number
  readonly lineGap: number
  /** Average width of letters in English text, weighted by frequency. */
  readonly averageWidth: number
}

type Tables = ReadonlyMap<string, Buffer>

/**
 * Frequency of each letter per 10,000 characters of English text. The first number is for the
 * space.
 */
const frequencies =
  ' 1870e1020t740a660o615i570n565s515r490h490l330d345u225c225m195f180w190g165p155y160b120v80k60'

const maxTableBytes = 32 * 1024 * 1024

/**
 * Reads the metrics of a font file.
 * @param bytes content of a woff2, woff, TrueType or OpenType file
 * @throws Error if the bytes are truncated or in a different format
 * @see https://learn.microsoft.com/typography/opentype/spec/ and the W3C's WOFF 2.0
 */
export function readMetrics(bytes: Buffer): FontMetrics {
  const { tables, isHmtxTransformed } = readTables(bytes)
  const head = tableOf(tables, 'head')
  const hhea = tableOf(tables, 'hhea')
  const widths = {
    hmtx: tableOf(tables, 'hmtx'),
    count: hhea.readUInt16BE(34),
    // Skip the byte of flags at the start of a transformed table. Such a table contains widths
    // without bearings.
    offset: isHmtxTransformed ? 1 : 0,
    stride: isHmtxTransformed ? 2 : 4,
  }
  const widthOf = (glyph: number) =>
    widths.hmtx.readUInt16BE(widths.offset + Math.min(glyph, widths.count - 1) * widths.stride)
  const glyphOf = readCharacters(tableOf(tables, 'cmap'))
  return {
    unitsPerEm: head.readUInt16BE(18),
    ascent: hhea.readInt16BE(4),
    descent: hhea.readInt16BE(6),
    lineGap: hhea.readInt16BE(8),
    averageWidth: average(glyphOf, widthOf),
  }
}

/**
 * Returns the average width of letters, weighted by frequency. For a font without Latin letters,
 * returns the width of its first character.
 */
function average(glyphOf: (code: number) => number, widthOf: (glyph: number) => number): number {
  let sum = 0
  let total = 0
  for (const [, letter = '', count] of frequencies.matchAll(/(\D)(\d+)/g)) {
    const glyph = glyphOf(letter.charCodeAt(0))
    if (glyph === 0) continue
    sum += widthOf(glyph) * Number(count)
    total += Number(count)
  }
  return total === 0 ? widthOf(1) : Math.round(sum / total)
}

function tableOf(tables: Tables, tag: string): Buffer {
  const table = tables.get(tag)
  if (!table) throw new Error(`the table "${tag}" is missing`)
  return table
}

function readTables(bytes: Buffer): { tables: Tables; isHmtxTransformed: boolean } {
  const signature = bytes.toString('latin1', 0, 4)
  switch (signature) {
    case 'wOF2':
      return readWoff2(bytes)
    case 'wOFF':
      return { tables: readWoff(bytes), isHmtxTransformed: false }
    case 'OTTO':
    case 'true':
    case '\0\x01\0\0':
      return { tables: readSfnt(bytes), isHmtxTransformed: false }
    default:
      throw new Error(`it is not a font file, because it starts with ${JSON.stringify(signature)}`)
  }
}

function readSfnt(bytes: Buffer): Tables {
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < bytes.readUInt16BE(4); index++) {
    const at = 12 + index * 16
    const offset = bytes.readUInt32BE(at + 8)
    tables.set(
      bytes.toString('latin1', at, at + 4),
      bytes.subarray(offset, offset + bytes.readUInt32BE(at + 12)),
    )
  }
  return tables
}

function readWoff(bytes: Buffer): Tables {
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < bytes.readUInt16BE(12); index++) {
    const at = 44 + index * 20
    const offset = bytes.readUInt32BE(at + 4)
    const length = bytes.readUInt32BE(at + 8)
    const stored = bytes.subarray(offset, offset + length)
    const isCompressed = length < bytes.readUInt32BE(at + 12)
    tables.set(
      bytes.toString('latin1', at, at + 4),
      isCompressed ? inflateSync(stored, { maxOutputLength: maxTableBytes }) : stored,
    )
  }
  return tables
}

/** Tags of the tables that we read, keyed by their numbers in WOFF 2.0. */
const tagsByNumber: Readonly<Record<number, string>> = {
  0: 'cmap',
  1: 'head',
  2: 'hhea',
  3: 'hmtx',
}
const glyphTags = new Set([10, 11])
const arbitraryTag = 63

function readWoff2(bytes: Buffer): { tables: Tables; isHmtxTransformed: boolean } {
  let at = 48
  const readLength = () => {
    let value = 0
    for (let byte = 0x80; byte & 0x80; ) {
      byte = bytes.readUInt8(at++)
      value = value * 128 + (byte & 0x7f)
    }
    return value
  }
  let isHmtxTransformed = false
  const entries = Array.from({ length: bytes.readUInt16BE(12) }, () => {
    const flags = bytes.readUInt8(at++)
    const number = flags & 0x3f
    let tag = tagsByNumber[number] ?? `#${number}`
    if (number === arbitraryTag) {
      tag = bytes.toString('latin1', at, at + 4)
      at += 4
    }
    const version = flags >> 6
    const length = readLength()
    // WOFF 2.0 §5: glyph tables are transformed by default, and other tables only if a flag is set.
    const isTransformed = glyphTags.has(number) ? version !== 3 : version !== 0
    if (isTransformed && tag === 'hmtx') isHmtxTransformed = true
    return { tag, length: isTransformed ? readLength() : length }
  })
  const data = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)), {
    maxOutputLength: maxTableBytes,
  })
  const tables = new Map<string, Buffer>()
  let offset = 0
  for (const { tag, length } of entries) {
    tables.set(tag, data.subarray(offset, offset + length))
    offset += length
  }
  return { tables, isHmtxTransformed }
}

/**
 * @returns a function from a character's code to its glyph, or to 0 if the font doesn't have the
 * character
 */
function readCharacters(cmap: Buffer): (code: number) => number {
  let best: Buffer | null = null
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const at = 4 + index * 8
    const table = cmap.subarray(cmap.readUInt32BE(at + 4))
    const format = table.readUInt16BE(0)
    if (format === 12 || (format === 4 && best?.readUInt16BE(0) !== 12)) best = table
  }
  if (!best) return () => 0
  const table = best
  return table.readUInt16BE(0) === 12
    ? (code) => groupGlyph(table, code)
    : (code) => segmentGlyph(table, code)
}

function groupGlyph(table: Buffer, code: number): number {
  for (let index = 0; index < table.readUInt32BE(12); index++) {
    const at = 16 + index * 12
    const start = table.readUInt32BE(at)
    if (code >= start && code <= table.readUInt32BE(at + 4))
      return table.readUInt32BE(at + 8) + code - start
  }
  return 0
}

function segmentGlyph(table: Buffer, code: number): number {
  const bytes = table.readUInt16BE(6)
  for (let at = 14; at < 14 + bytes; at += 2) {
    if (code > table.readUInt16BE(at)) continue
    const start = table.readUInt16BE(at + bytes + 2)
    if (code < start) return 0
    const delta = table.readUInt16BE(at + 2 * bytes + 2)
    const rangeAt = at + 3 * bytes + 2
    const range = table.readUInt16BE(rangeAt)
    if (range === 0) return (code + delta) & 0xffff
    const glyph = table.readUInt16BE(rangeAt + range + 2 * (code - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}
