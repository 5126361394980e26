import { crc32 } from 'node:zlib'
import sharp from 'sharp'

const progressiveFrame = 0xc2
const huffmanTable = 0xc4
const startOfScan = 0xda

/**
 * Writes a valid, single-coloured progressive JPEG that refines its coefficients bit by bit, with
 * one scan for each bit. A scan only has a few hundred bytes, but makes a decoder pass over the
 * whole image.
 * @param scans number of scans, at most 882
 */
export async function jpegOfScans(width: number, height: number, scans: number): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#8aa' }
  const jpeg = await sharp({ create }).jpeg({ progressive: true }).toBuffer()
  const { header, frame } = readHeader(jpeg)
  // Count the blocks in the first of three components. Blocks without coefficients are written as
  // runs.
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const component = frame[10] ?? 1
  const written: Buffer[] = []
  for (let index = 0; index < scans; index++) {
    const coefficient = 1 + Math.floor(index / 14)
    const bit = 13 - (index % 14)
    const approximation = ((bit === 13 ? 0 : bit + 1) << 4) | bit
    const parameters = [1, component, 0, coefficient, coefficient, approximation]
    written.push(Buffer.from([0xff, startOfScan, 0, 8, ...parameters]), emptyBlocks(blocks))
  }
  return Buffer.concat([header, endOfBlocksTable, ...written, Buffer.from([0xff, 0xd9])])
}

/**
 * A Huffman table with one code, the bit 0: a run of 16,384 to 32,767 blocks without coefficients.
 */
const endOfBlocksTable = Buffer.from([
  0xff,
  huffmanTable,
  0,
  20,
  0x10,
  1,
  ...Array<number>(15).fill(0),
  0xe0,
])

function emptyBlocks(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0; left -= 32_767) {
    const extra = Math.max(0, Math.min(32_767, left) - 16_384)
    bits += `0${extra.toString(2).padStart(14, '0')}`
  }
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []
  // Write a zero after each byte 0xff, because 0xff alone would start a marker.
  return Buffer.from(
    bytes.flatMap((byte) => (byte === '11111111' ? [255, 0] : [parseInt(byte, 2)])),
  )
}

/**
 * @returns `header` is everything up to the end of the first scan, and `frame` the frame segment
 */
function readHeader(jpeg: Buffer): { readonly header: Buffer; readonly frame: Buffer } {
  let frame = jpeg
  for (let at = 2; ; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] === progressiveFrame) frame = jpeg.subarray(at)
    if (jpeg[at + 1] !== startOfScan) continue
    let end = at + 2 + jpeg.readUInt16BE(at + 2)
    while (jpeg[end] !== 0xff || jpeg[end + 1] === 0) end++
    return { header: jpeg.subarray(0, end), frame }
  }
}

/** Inserts a chunk after a PNG's header. */
export function withPngChunk(png: Buffer, name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, 33), length, body, checksum, png.subarray(33)])
}
