import { extname } from 'node:path'
import { mimes } from 'mrmime'
import { parseWeighted } from '../../shared/accept.ts'
import { setBounded } from '../../shared/boundedMap.ts'
import { payloadType } from '../../shared/protocol.ts'

/** Types that the table of mrmime lacks. */
const addedTypes = {
  rsc: payloadType,
  ico: 'image/x-icon',
  flac: 'audio/flac',
  m3u8: 'application/vnd.apple.mpegurl',
  eot: 'application/vnd.ms-fontobject',
}

const types = new Map(Object.entries({ ...mimes, ...addedTypes }))

const compressibleType =
  /^text\/|[/+](?:json|xml)(?:;|$)|^application\/(?:wasm|vnd\.ms-fontobject)|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon)|^model\//

/**
 * The media type of a file by the end of its name; bytes when the name says nothing.
 */
export function contentTypeOf(file: string): string {
  const extension = extname(file).slice(1).toLowerCase()
  const type = types.get(extension) ?? 'application/octet-stream'
  return type.startsWith('text/') && type !== payloadType ? `${type}; charset=utf-8` : type
}

/**
 * Tells whether a general-purpose compression makes files of this media type smaller.
 */
export function isCompressible(contentType: string): boolean {
  return compressibleType.test(contentType)
}

/** A content coding that the server has files for. */
export type Encoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** Compressed codings and the ends of their files' names, the preferred one first. */
export const codings: readonly { encoding: Encoding; suffix: string }[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'zstd', suffix: '.zst' },
  { encoding: 'gzip', suffix: '.gz' },
]

const maxCached = 200

/**
 * Orders the codings by a client's preference; at equal weight by ours. Refused ones are left out.
 * @param header of `accept-encoding`
 * @see RFC 9110 §12.5.3
 */
export function parseAcceptEncoding(header: string | undefined): Encoding[] {
  if (header === undefined) return ['identity']
  const weights = new Map<string, number>()
  for (const { name, q } of parseWeighted(header)) {
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, q)
  }
  const others = weights.get('*')
  // Accepted unless refused, and last among what the client named.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : 1e-9)
  const weightOf = (encoding: Encoding) =>
    encoding === 'identity' ? identity : (weights.get(encoding) ?? others ?? 0)
  return [...codings.map(({ encoding }) => encoding), 'identity' as const]
    .filter((encoding) => weightOf(encoding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a))
}

/** Creates a cached `parseAcceptEncoding`: clients send few different headers. */
export function createAcceptedEncodings(): (header: string | undefined) => readonly Encoding[] {
  const cached = new Map<string | undefined, Encoding[]>()
  return (header) => {
    let accepted = cached.get(header)
    if (accepted === undefined) {
      accepted = parseAcceptEncoding(header)
      setBounded(cached, header, accepted, maxCached)
    }
    return accepted
  }
}
