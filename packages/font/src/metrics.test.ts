import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { readMetrics } from './metrics.ts'

const { resolve } = createRequire(import.meta.url)
const fileOf = (id: string) =>
  readFileSync(resolve(`@fontsource-variable/${id}/files/${id}-latin-wght-normal.woff2`))

/** Creates a TrueType font with a single letter. */
function smallFont(): Buffer {
  const head = Buffer.alloc(54)
  head.writeUInt16BE(1000, 18)
  const hhea = Buffer.alloc(36)
  hhea.writeInt16BE(900, 4)
  hhea.writeInt16BE(-200, 6)
  hhea.writeUInt16BE(2, 34)
  const hmtx = Buffer.alloc(8)
  hmtx.writeUInt16BE(500, 0)
  hmtx.writeUInt16BE(640, 4)
  const cmap = Buffer.alloc(12 + 28)
  cmap.writeUInt16BE(1, 2)
  cmap.writeUInt32BE(12, 8)
  const group = [12, 0, 0, 28, 0, 0, 0, 1, 0, 101, 0, 101, 0, 1]
  group.forEach((value, index) => void cmap.writeUInt16BE(value, 12 + index * 2))
  const tables = { cmap, head, hhea, hmtx }
  let offset = 12 + 16 * 4
  const directory = Buffer.alloc(offset)
  directory.write('\0\x01\0\0', 'latin1')
  directory.writeUInt16BE(4, 4)
  Object.entries(tables).forEach(([tag, table], index) => {
    const at = 12 + index * 16
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(table.length, at + 12)
    offset += table.length
  })
  return Buffer.concat([directory, ...Object.values(tables)])
}

describe('readMetrics', () => {
  test('reads a woff2 file with transformed widths', () => {
    expect(readMetrics(fileOf('source-serif-4'))).toEqual({
      unitsPerEm: 1000,
      ascent: 1036,
      descent: -335,
      lineGap: 0,
      averageWidth: expect.closeTo(450, -2),
    })
  })

  test('returns the width of a monospace font', () => {
    expect(readMetrics(fileOf('source-code-pro')).averageWidth).toBe(600)
  })

  test('reads a TrueType file', () => {
    expect(readMetrics(smallFont())).toEqual({
      unitsPerEm: 1000,
      ascent: 900,
      descent: -200,
      lineGap: 0,
      averageWidth: 640,
    })
  })

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>'],
    ['the start of a file', 'wOF2'],
  ])('refuses %s', (_, text) => {
    expect(() => readMetrics(Buffer.from(text))).toThrow(Error)
  })

  test('refuses a file that is truncated at any point', () => {
    const whole = fileOf('source-code-pro')
    for (let length = 0; length < whole.length - 1; length += 997) {
      expect(() => readMetrics(whole.subarray(0, length))).toThrow(Error)
    }
  })
})
