import type { BodyVariant, CachedResponse } from '../../shared/answer.ts'
import type { PartialShell } from '../../shared/partialShell.ts'
import { readFrame, writeFrame } from './frame.ts'
import { decodeShell } from './shellValue.ts'

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
