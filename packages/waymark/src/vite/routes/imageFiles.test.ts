import { describe, expect, test } from 'vitest'
import { misnamedAdvice, readImageContent, readImageSize } from './imageFiles.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

describe('the size of an image', () => {
  test.each([
    [
      'image/png',
      '89504e470d0a1a0a 0000000d49484452 000004b0 00000276 08020000',
      { width: 1200, height: 630 },
    ],
    ['image/gif', '474946383961 0a00 1400 000000', { width: 10, height: 20 }],
    // An APP0 segment, a fill byte, then a progressive frame.
    [
      'image/jpeg',
      'ffd8 ffe0 0004 0000 ff ffc2 000b 08 0102 0304 01 00 00 00',
      { width: 0x304, height: 0x102 },
    ],
    // The marker of a Huffman table (C4) must not be taken for a frame.
    ['image/jpeg', 'ffd8 ffc4 0004 0000 ffc0 000b 08 0001 0002 0100', { width: 2, height: 1 }],
    [
      'image/x-icon',
      `0000 0100 0200 ${'10100000010020000000000026000000'} ${'00000000010020000000000026000000'}`,
      { width: 256, height: 256 },
    ],
    [
      'image/svg+xml',
      Buffer.from('<?xml version="1.0"?><svg viewBox="0 0 1 1"/>').toString('hex'),
      {},
    ],
  ])('%s', (type, hex, size) => {
    expect(readImageSize(bytes(hex), type)).toEqual(size)
  })

  test.each(['image/png', 'image/gif', 'image/jpeg', 'image/x-icon', 'image/svg+xml'])(
    '%s: truncated, empty or different content has no size',
    (type) => {
      const others = ['', 'ff', 'ffd8', 'ffd8ffe00000', 'ffd8ff', '8950', '00000100', '4749']
      for (const hex of others) expect(readImageSize(bytes(hex), type)).toBeNull()
    },
  )
})

const png = bytes('89504e470d0a1a0a 0000000d49484452 00000020 00000020 08020000')

test.each([
  ['favicon', 'image/x-icon', png, 'image/png'],
  ['icon', 'image/png', Buffer.from('<svg viewBox="0 0 1 1"/>'), 'image/svg+xml'],
  ['opengraph-image', 'image/png', Buffer.from('RIFF....WEBPVP8 '), 'image/webp'],
  ['opengraph-image', 'image/jpeg', png, 'image/png'],
] as const)('%s with the type %s and different content', (kind, type, content, expected) => {
  expect(readImageContent(content, { kind, type })?.type).toBe(expected)
})

test("an SVG can't be the card of a page", () => {
  const content = Buffer.from('<svg viewBox="0 0 1 1"/>')
  expect(readImageContent(content, { kind: 'opengraph-image', type: 'image/png' })).toBeNull()
})

test.each([
  ['favicon.ico', ['favicon.ico', 'page.tsx'], 'Rename it to icon.png.'],
  [
    'favicon.ico',
    ['favicon.ico', 'icon.png'],
    'Save it as ICO, or delete it, because the folder contains icon.png, too.',
  ],
  [
    'favicon.ico',
    ['favicon.ico', 'icon.svg'],
    'Save it as ICO, or delete it, because the folder contains icon.svg, too.',
  ],
  ['icon.jpg', ['icon.jpg', 'favicon.ico', 'icon2.png'], 'Rename it to icon.png.'],
  [
    'icon.jpg',
    ['icon.jpg', 'icon.png'],
    'Save it as JPG, or delete it, because the folder contains icon.png, too.',
  ],
])('the advice for %s, which is a PNG, among %j', (file, siblings, advice) => {
  expect(misnamedAdvice(`/app/${file}`, 'image/png', siblings)).toBe(advice)
})
