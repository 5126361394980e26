import { describe, expect, test } from 'vitest'
import { type LeaseLine, parseLeaseLine, writeLeaseLine } from './leaseFormat.ts'

const lines: readonly LeaseLine[] = [
  { kind: 'claimed', name: 'n', owner: 'p.1', atMs: 5 },
  { kind: 'taken over', name: 'n', owner: 'q.1', from: 'p.1', atMs: 6 },
  { kind: 'released', name: 'n', owner: 'p.1' },
  { kind: 'done', name: 'n', expireAtMs: 7, result: 'AAEC' },
  { kind: 'done', name: 'n', expireAtMs: 7, result: '' },
  { kind: 'done', name: 'n', expireAtMs: 7, result: null },
  { kind: 'lives', self: 'p', batch: 3, atMs: 8 },
  { kind: 'ended' },
]

describe('a line', () => {
  test.each(lines)('is read as it was written: %o', (line) => {
    const text = writeLeaseLine(line)
    expect(text.endsWith('\n')).toBe(true)
    expect(parseLeaseLine(text.slice(0, -1))).toEqual(line)
  })

  test('that was cut or changed, anywhere, is none', () => {
    const text = writeLeaseLine({ kind: 'done', name: 'n', expireAtMs: 7, result: 'AAEC' })
    for (let at = 0; at < text.length - 1; at++) {
      expect(parseLeaseLine(text.slice(0, at))).toBeNull()
      const other = text[at] === '0' ? '1' : '0'
      expect(parseLeaseLine(`${text.slice(0, at)}${other}${text.slice(at + 1, -1)}`)).toBeNull()
    }
  })

  test('of another version is told from a damaged one', () => {
    // "z 1", with its checksum.
    expect(parseLeaseLine('627d100c z 1')).toBe('unknown')
  })
})
