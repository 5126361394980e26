import { expect, test } from 'vitest'
import { readImageSize } from './imagePlugin.ts'

function bytes(
  length: number,
  parts: Readonly<Record<number, string | readonly number[]>>,
): Buffer {
  const buffer = Buffer.alloc(length)
  for (const [at, part] of Object.entries(parts)) {
    const piece = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)
    piece.copy(buffer, Number(at))
  }
  return buffer
}

const frame = [0xff, 0xc0, 0, 17, 8, 0, 40, 0, 60]
const exif = (value: number) => {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]
  const body = [...Buffer.from('Exif\0\0'), ...tiff]
  return [0xff, 0xe1, 0, body.length + 2, ...body]
}

test.each<[string, Buffer, object | null]>([
  [
    'PNG',
    bytes(40, { 0: [0x89, 0x50, 0x4e, 0x47], 18: [1, 0], 22: [0, 200] }),
    { width: 256, height: 200 },
  ],
  ['GIF', bytes(40, { 0: 'GIF89a', 6: [10, 0, 20, 0] }), { width: 10, height: 20 }],
  [
    'lossy WebP',
    bytes(40, { 0: 'RIFF', 8: 'WEBPVP8 ', 26: [64, 0, 32, 0] }),
    { width: 64, height: 32 },
  ],
  ['lossless WebP', bytes(40, { 8: 'WEBPVP8L', 21: [63, 0xc0, 7, 0] }), { width: 64, height: 32 }],
  [
    'extended WebP',
    bytes(40, { 8: 'WEBPVP8X', 24: [63, 0, 0, 31, 0, 0] }),
    { width: 64, height: 32 },
  ],
  [
    'JPEG',
    bytes(60, { 0: [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...frame] }),
    { width: 60, height: 40 },
  ],
  ['turned JPEG', bytes(80, { 0: [0xff, 0xd8, ...exif(6), ...frame] }), { width: 40, height: 60 }],
  ['cut JPEG', bytes(40, { 0: [0xff, 0xd8, 0xff, 0xe0, 0, 80] }), null],
  ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  [
    'SVG',
    Buffer.from('<?xml version="1.0"?><svg width="20px" height="10"></svg>'),
    { width: 20, height: 10 },
  ],
  [
    'SVG with only a viewBox',
    Buffer.from('<svg xmlns="a" viewBox="0 0 24 12"><path/></svg>'),
    { width: 24, height: 12 },
  ],
  [
    'scaled SVG',
    Buffer.from('<svg stroke-width="3" width="48" viewBox="0,0,24,12"/>'),
    { width: 48, height: 24 },
  ],
  ['nothing', Buffer.alloc(0), null],
])('reads the size of a %s', (_, file, size) => expect(readImageSize(file)).toEqual(size))
