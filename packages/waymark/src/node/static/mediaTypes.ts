import { extname } from 'node:path'
import { mimes } from 'mrmime'
import { parseWeighted } from '../../http/accept.ts'
import { setBounded } from '../../shared/maps.ts'
import { payloadType } from '../../wire/protocol.ts'

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

/** Returns the `Content-Type` for a file name, with its charset; `application/octet-stream` if unknown. */
export function contentTypeOf(file: string): string {
  const extension = extname(file).slice(1).toLowerCase()
  const type = types.get(extension) ?? 'application/octet-stream'
  return type.startsWith('text/') && type !== payloadType ? `${type}; charset=utf-8` : type
}

export function isCompressible(contentType: string): boolean {
  return compressibleType.test(contentType)
}

export type Encoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** Preferred coding first. */
export const codings: readonly { encoding: Encoding; suffix: string }[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'zstd', suffix: '.zst' },
  { encoding: 'gzip', suffix: '.gz' },
]

const maxCached = 200

/**
 * Orders the codings by the client's weights, then by our preference, without refused ones.
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
  // Identity is accepted unless refused, and comes last.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : 1e-9)
  const weightOf = (encoding: Encoding) =>
    encoding === 'identity' ? identity : (weights.get(encoding) ?? others ?? 0)
  return [...codings.map(({ encoding }) => encoding), 'identity' as const]
    .filter((encoding) => weightOf(encoding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a))
}

/** Clients send few different headers, so that results are cached. */
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
