import { crc32 } from 'node:zlib'

/**
 * What a line of the log of claims says. A name is a claim's; an owner is one process's one claim,
 * named `process.number`.
 */
export type LeaseLine =
  | {
      readonly kind: 'claimed'
      readonly name: string
      readonly owner: string
      readonly atMs: number
    }
  /** From an owner that is gone. */
  | {
      readonly kind: 'taken over'
      readonly name: string
      readonly owner: string
      readonly from: string
      readonly atMs: number
    }
  | { readonly kind: 'released'; readonly name: string; readonly owner: string }
  | {
      readonly kind: 'done'
      readonly name: string
      readonly expireAtMs: number
      /** In base64; `null` where it has a file of its own. */
      readonly result: string | null
    }
  /** The end of what a process has appended at once. */
  | { readonly kind: 'lives'; readonly self: string; readonly batch: number; readonly atMs: number }
  /** The end of the file: what comes behind does not count. */
  | { readonly kind: 'ended' }

const noResult = '-'

/** Writes a line: a checksum, a letter, and fields without a space. */
export function writeLeaseLine(line: LeaseLine): string {
  const text = fieldsOf(line).join(' ')
  return `${checksum(text)} ${text}\n`
}

/**
 * Reads a line, without its end.
 * @returns `null` for one that was cut or changed; `unknown` for one of another version
 */
export function parseLeaseLine(line: string): LeaseLine | 'unknown' | null {
  const text = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(text)) return null
  const [letter, name = '', second = '', third = '', fourth = ''] = text.split(' ')
  switch (letter) {
    case 'c':
      return { kind: 'claimed', name, owner: second, atMs: Number(third) }
    case 't':
      return { kind: 'taken over', name, owner: second, from: third, atMs: Number(fourth) }
    case 'r':
      return { kind: 'released', name, owner: second }
    case 'd':
      return {
        kind: 'done',
        name,
        expireAtMs: Number(second),
        result: third === noResult ? null : third,
      }
    case 'l':
      return { kind: 'lives', self: name, batch: Number(second), atMs: Number(third) }
    case 'e':
      return { kind: 'ended' }
    default:
      return 'unknown'
  }
}

function fieldsOf(line: LeaseLine): readonly (string | number)[] {
  switch (line.kind) {
    case 'claimed':
      return ['c', line.name, line.owner, line.atMs]
    case 'taken over':
      return ['t', line.name, line.owner, line.from, line.atMs]
    case 'released':
      return ['r', line.name, line.owner]
    case 'done':
      return ['d', line.name, line.expireAtMs, line.result ?? noResult]
    case 'lives':
      return ['l', line.self, line.batch, line.atMs]
    case 'ended':
      return ['e']
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
