import { decodeFrame, encodeFrame } from '../../cache/cacheEntry.ts'
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
  /** Nothing that could be cached: it is rendered for each request. */
  | { readonly kind: 'perRequest' }

/** Stands for the files of the build: they need no second copy. */
export const builtValue: Uint8Array = Buffer.from('built')

/** Stands for a page that is not cached any more. */
export const perRequestValue: Uint8Array = Buffer.from('per request')

// Change with the formats: what another version wrote is dropped.
const pageMark = 'WKP2'
const shellMark = 'WKS2'

type StoredResponse = Omit<CachedResponse, 'bodies'> & {
  readonly bodies: readonly (Omit<BodyVariant, 'bytes'> & { readonly length: number })[]
}

/** Writes a page as the bytes that a cache stores. */
export function encodePage({ document, data }: CachedPage): Uint8Array {
  const responses = data ? [document, data] : [document]
  const head = responses.map(({ bodies, ...response }): StoredResponse => {
    const stored = bodies.map(({ bytes, ...body }) => ({ ...body, length: bytes.byteLength }))
    return { ...response, bodies: stored }
  })
  const bodies = responses.flatMap(({ bodies }) => bodies.map(({ bytes }) => bytes))
  return encodeFrame(pageMark, head, bodies)
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
  const frame = decodeFrame<StoredResponse[]>(pageMark, bytes)
  if (frame === null) return null
  const [document, data = null] = withBytes(frame.head, frame.bodies)
  return document ? { kind: 'page', page: { document, data } } : null
}

function withBytes(stored: readonly StoredResponse[], bytes: Buffer): CachedResponse[] {
  let at = 0
  return stored.map((response) => {
    const bodies = response.bodies.map(({ length, ...body }): BodyVariant => {
      at += length
      return { ...body, bytes: bytes.subarray(at - length, at) }
    })
    // `encodePage` was given one at least.
    return { ...response, bodies: bodies as unknown as CachedResponse['bodies'] }
  })
}

type ShellHead = Omit<PartialShell, 'html' | 'payload'> & { readonly payloadLength: number }

/** Writes the shell of a page as the bytes that a cache stores. */
export function encodeShell({ html, payload, ...others }: PartialShell): Uint8Array {
  const head: ShellHead = { ...others, payloadLength: payload.byteLength }
  return encodeFrame(shellMark, head, [payload, Buffer.from(html)])
}

/**
 * Reads what `encodeShell` wrote.
 * @returns `null` for anything else
 */
export function decodeShell(bytes: Buffer): PartialShell | null {
  const frame = decodeFrame<ShellHead>(shellMark, bytes)
  if (frame === null) return null
  const { payloadLength, ...others } = frame.head
  const html = frame.bodies.toString('utf8', payloadLength)
  return { ...others, html, payload: frame.bodies.subarray(0, payloadLength) }
}
