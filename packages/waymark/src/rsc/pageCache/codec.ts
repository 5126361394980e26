import { crc32 } from 'node:zlib'
import type { PartialShell } from '../../shared/payload.ts'
import type { BodyVariant, CachedResponse } from '../../shared/response.ts'

/** A page in both its forms, of one rendering; a route handler has a document only. */
export type CachedPage = { readonly document: CachedResponse; readonly data: CachedResponse | null }

/** What the cache holds for a pathname. */
export type PageValue =
  | { readonly kind: 'page'; readonly page: CachedPage }
  /** The part of a page that is the same for everybody. */
  | { readonly kind: 'partial'; readonly shell: PartialShell }
  /** The files of the build. */
  | { readonly kind: 'built' }
  /** Nothing that could be kept: it is rendered for each request. */
  | { readonly kind: 'perRequest' }

const magic = 0x31504b57

/** Stands for the files of the build: they need no second copy. */
export const builtValue: Uint8Array = Buffer.from('built')

/** Stands for a page that is not kept any more. */
export const perRequestValue: Uint8Array = Buffer.from('per request')

type StoredAnswer = Omit<CachedResponse, 'bodies'> & {
  readonly bodies: readonly (Omit<BodyVariant, 'bytes'> & { readonly length: number })[]
}

/** Writes a page as the bytes that a cache keeps. */
export function encodePage({ document, data }: CachedPage): Uint8Array {
  const answers = data ? [document, data] : [document]
  const bodies = answers.flatMap(({ bodies }) => bodies.map(({ bytes }) => bytes))
  return writeFrame(magic, answers.map(withoutBytes), bodies)
}

/**
 * Reads what `encodePage` and `encodeShell` wrote.
 * @returns `null` for what another version wrote, or what was cut or changed since
 */
export function decodeValue(value: Uint8Array): PageValue | null {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (bytes.equals(builtValue)) return { kind: 'built' }
  if (bytes.equals(perRequestValue)) return { kind: 'perRequest' }
  const shell = decodeShell(bytes)
  if (shell) return { kind: 'partial', shell }
  const read = readFrame<StoredAnswer[]>(magic, bytes)
  if (read === null) return null
  const [document, data = null] = withBytes(read.head, read.bodies)
  return document ? { kind: 'page', page: { document, data } } : null
}

function withoutBytes({ bodies, ...answer }: CachedResponse): StoredAnswer {
  const stored = bodies.map(({ encoding, etag, bytes }) => ({
    encoding,
    etag,
    length: bytes.byteLength,
  }))
  return { ...answer, bodies: stored }
}

function withBytes(stored: readonly StoredAnswer[], bytes: Buffer): CachedResponse[] {
  let at = 0
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return stored.map((answer) => {
    const [identity, ...coded] = answer.bodies.map(
      ({ encoding, etag, length }): BodyVariant => ({ encoding, etag, bytes: take(length) }),
    )
    if (!identity) throw new Error('A kept answer has at least one body.')
    return { ...answer, bodies: [identity, ...coded] }
  })
}

const shellMagic = 0x31534b57

type Head = Omit<PartialShell, 'html' | 'payload'> & { readonly payloadLength: number }

/** Writes the shell of a page as the bytes that a cache keeps. */
export function encodeShell({ html, payload, ...others }: PartialShell): Uint8Array {
  const head: Head = { ...others, payloadLength: payload.byteLength }
  return writeFrame(shellMagic, head, [payload, Buffer.from(html)])
}

/**
 * Reads what `encodeShell` wrote.
 * @returns `null` for anything else
 */
export function decodeShell(bytes: Buffer): PartialShell | null {
  const read = readFrame<Head>(shellMagic, bytes)
  if (read === null) return null
  const { payloadLength, ...others } = read.head
  const html = read.bodies.toString('utf8', payloadLength)
  return { ...others, html, payload: read.bodies.subarray(0, payloadLength) }
}

const headBytes = 12

/** Writes a value as the bytes that a cache keeps: what it is, lengths, a checksum, a head, bodies. */
export function writeFrame(
  magic: number,
  head: unknown,
  bodies: readonly Uint8Array[],
): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  const rest = Buffer.concat([text, ...bodies])
  const start = Buffer.alloc(headBytes)
  start.writeUInt32LE(magic, 0)
  start.writeUInt32LE(text.length, 4)
  start.writeUInt32LE(crc32(rest), 8)
  return Buffer.concat([start, rest])
}

/**
 * Reads what `writeFrame` wrote.
 * @returns the head, and the bodies in one; `null` for what another version wrote, or what was cut
 *   or changed since
 */
export function readFrame<Head>(
  magic: number,
  bytes: Buffer,
): { head: Head; bodies: Buffer } | null {
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== magic) return null
  const rest = bytes.subarray(headBytes)
  if (crc32(rest) !== bytes.readUInt32LE(8)) return null
  const headLength = bytes.readUInt32LE(4)
  // The checksum vouches for the rest: it was this function's counterpart that wrote it.
  const head = JSON.parse(rest.toString('utf8', 0, headLength)) as Head
  return { head, bodies: rest.subarray(headLength) }
}
