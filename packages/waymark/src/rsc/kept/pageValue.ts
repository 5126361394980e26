import { crc32 } from 'node:zlib'
import type { KeptAnswer, KeptBody } from '../../shared/answer.ts'

/** A page in both its forms, of one rendering; a route handler has a document only. */
export type KeptPage = { readonly document: KeptAnswer; readonly data: KeptAnswer | null }

/** What the cache holds for a pathname. */
export type PageValue =
  | { readonly kind: 'page'; readonly page: KeptPage }
  /** The files of the build. */
  | { readonly kind: 'built' }
  /** Nothing that could be kept: it is rendered for each request. */
  | { readonly kind: 'perRequest' }

const magic = 0x31504b57
const headBytes = 12

/** Stands for the files of the build: they need no second copy. */
export const builtValue: Uint8Array = Buffer.from('built')

/** Stands for a page that is not kept any more. */
export const perRequestValue: Uint8Array = Buffer.from('per request')

type StoredAnswer = Omit<KeptAnswer, 'bodies'> & {
  readonly bodies: readonly (Omit<KeptBody, 'bytes'> & { readonly length: number })[]
}

/** Writes a page as the bytes that a cache keeps: lengths, a checksum, a head, the bodies. */
export function encodePage({ document, data }: KeptPage): Uint8Array {
  const answers = data ? [document, data] : [document]
  const head = Buffer.from(JSON.stringify(answers.map(withoutBytes)))
  const bodies = answers.flatMap(({ bodies }) => bodies.map(({ bytes }) => bytes))
  const rest = Buffer.concat([head, ...bodies])
  const start = Buffer.alloc(headBytes)
  start.writeUInt32LE(magic, 0)
  start.writeUInt32LE(head.length, 4)
  start.writeUInt32LE(crc32(rest), 8)
  return Buffer.concat([start, rest])
}

/**
 * Reads what `encodePage` wrote.
 * @returns `null` for what another version wrote, or what was cut or changed since
 */
export function decodeValue(value: Uint8Array): PageValue | null {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (bytes.equals(builtValue)) return { kind: 'built' }
  if (bytes.equals(perRequestValue)) return { kind: 'perRequest' }
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== magic) return null
  const rest = bytes.subarray(headBytes)
  if (crc32(rest) !== bytes.readUInt32LE(8)) return null
  const headLength = bytes.readUInt32LE(4)
  // The checksum vouches for the rest: it was this function's counterpart that wrote it.
  const stored = JSON.parse(rest.toString('utf8', 0, headLength)) as StoredAnswer[]
  const [document, data = null] = withBytes(stored, rest, headLength)
  return document ? { kind: 'page', page: { document, data } } : null
}

function withoutBytes({ bodies, ...answer }: KeptAnswer): StoredAnswer {
  const stored = bodies.map(({ encoding, etag, bytes }) => ({
    encoding,
    etag,
    length: bytes.byteLength,
  }))
  return { ...answer, bodies: stored }
}

function withBytes(stored: readonly StoredAnswer[], bytes: Buffer, start: number): KeptAnswer[] {
  let at = start
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return stored.map((answer) => {
    const [identity, ...coded] = answer.bodies.map(
      ({ encoding, etag, length }): KeptBody => ({ encoding, etag, bytes: take(length) }),
    )
    if (!identity) throw new Error('A kept answer has at least one body.')
    return { ...answer, bodies: [identity, ...coded] }
  })
}
