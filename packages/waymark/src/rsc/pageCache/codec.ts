import { decodeFrame, encodeFrame } from '../../cache/cacheEntry.ts'
import type { BodyVariant, CachedResponse } from '../../http/response.ts'
import type { PartialShell } from '../../wire/payload.ts'

/** Document and page data from the same rendering. A route handler's response has no page data. */
export type CachedPage = { readonly document: CachedResponse; readonly data: CachedResponse | null }

export type PageValue =
  | { readonly kind: 'page'; readonly page: CachedPage }
  /** The part of a page that all visitors share. */
  | { readonly kind: 'partial'; readonly shell: PartialShell }
  /** The build's files contain the page. */
  | { readonly kind: 'built' }
  /** The page isn't cacheable, so it is rendered on each request. */
  | { readonly kind: 'perRequest' }

/** Cache value for a page in the build's files. It stands for a copy of the page. */
export const builtValue: Uint8Array = Buffer.from('built')

/** Cache value for a page that is no longer cached. */
export const perRequestValue: Uint8Array = Buffer.from('per request')

// Marks at the start of cache values. Change a mark whenever its format changes, so that old
// entries are dropped.
const pageMark = 'WKP2'
const shellMark = 'WKS2'

type StoredResponse = Omit<CachedResponse, 'bodies'> & {
  readonly bodies: readonly (Omit<BodyVariant, 'bytes'> & { readonly length: number })[]
}

export function encodePage({ document, data }: CachedPage): Uint8Array {
  const responses = data ? [document, data] : [document]
  const head = responses.map(({ bodies, ...response }): StoredResponse => {
    const stored = bodies.map(({ bytes, ...body }) => ({ ...body, length: bytes.byteLength }))
    return { ...response, bodies: stored }
  })
  const bodies = responses.flatMap(({ bodies }) => bodies.map(({ bytes }) => bytes))
  return encodeFrame(pageMark, head, bodies)
}

/** Decodes a cache value. @returns `null` for an unknown format, and for truncated or changed bytes */
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
    // `encodePage` always writes at least one body, so cast.
    return { ...response, bodies: bodies as unknown as CachedResponse['bodies'] }
  })
}

type ShellHead = Omit<PartialShell, 'html' | 'payload'> & { readonly payloadLength: number }

export function encodeShell({ html, payload, ...others }: PartialShell): Uint8Array {
  const head: ShellHead = { ...others, payloadLength: payload.byteLength }
  return encodeFrame(shellMark, head, [payload, Buffer.from(html)])
}

/** Decodes a shell. @returns `null` for bytes that don't contain a shell */
export function decodeShell(bytes: Buffer): PartialShell | null {
  const frame = decodeFrame<ShellHead>(shellMark, bytes)
  if (frame === null) return null
  const { payloadLength, ...others } = frame.head
  const html = frame.bodies.toString('utf8', payloadLength)
  return { ...others, html, payload: frame.bodies.subarray(0, payloadLength) }
}
