import { inflateSync } from 'node:zlib'

/** A colour in CSS syntax, such as `rgb(255 0 200)`. */
export type Color = string

const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

/**
 * Reads one pixel of a PNG in the format of screenshots: eight bits per channel, not interlaced.
 * @param at position from the left and the top; negative values count from the right and the bottom
 * @see PNG specification, §9 filtering
 */
export function pngPixel(png: Buffer, at: { x: number; y: number }): Color {
  const { width, height, channels, rows } = readPng(png)
  const x = at.x < 0 ? width + at.x : at.x
  const y = at.y < 0 ? height + at.y : at.y
  const stride = width * channels
  let row: Buffer = Buffer.alloc(stride)
  for (let line = 0; line <= y; line++) {
    const start = line * (stride + 1)
    row = unfiltered(rows[start] ?? 0, rows.subarray(start + 1, start + 1 + stride), row, channels)
  }
  return `rgb(${[0, 1, 2].map((channel) => row[x * channels + channel]).join(' ')})`
}

function readPng(png: Buffer) {
  const header = png.subarray(16)
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const channels = header[8] === 8 && header[12] === 0 ? channelsOf[header[9] ?? 0] : undefined
  if (channels === undefined) throw new Error('This PNG does not have the format of a screenshot.')
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + length))
    }
    at += length + 12
  }
  return { width, height, channels, rows: inflateSync(Buffer.concat(parts)) }
}

function unfiltered(filter: number, bytes: Buffer, above: Buffer, channels: number): Buffer {
  const row = Buffer.from(bytes)
  for (let at = 0; at < row.length; at++) {
    const left = row[at - channels] ?? 0
    const up = above[at] ?? 0
    const upLeft = at < channels ? 0 : (above[at - channels] ?? 0)
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, upLeft)
  }
  return row
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, upLeft)
    default:
      return 0
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [toLeft, toUp, toUpLeft] = [left, up, upLeft].map((value) =>
    Math.abs(estimate - value),
  ) as [number, number, number]
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}
