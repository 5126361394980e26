import { extname } from 'node:path'
import { payloadType } from '../../shared/protocol.ts'

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.htm', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.rsc', payloadType],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.ics', 'text/calendar; charset=utf-8'],
  ['.vtt', 'text/vtt; charset=utf-8'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.jsonld', 'application/ld+json'],
  ['.geojson', 'application/geo+json'],
  ['.webmanifest', 'application/manifest+json'],
  ['.xml', 'application/xml'],
  ['.rss', 'application/rss+xml'],
  ['.atom', 'application/atom+xml'],
  ['.xsl', 'application/xslt+xml'],
  ['.wasm', 'application/wasm'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.gz', 'application/gzip'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.apng', 'image/apng'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.jxl', 'image/jxl'],
  ['.bmp', 'image/bmp'],
  ['.ico', 'image/x-icon'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
  ['.ttf', 'font/ttf'],
  ['.otf', 'font/otf'],
  ['.eot', 'application/vnd.ms-fontobject'],
  ['.mp3', 'audio/mpeg'],
  ['.m4a', 'audio/mp4'],
  ['.ogg', 'audio/ogg'],
  ['.opus', 'audio/ogg'],
  ['.wav', 'audio/wav'],
  ['.flac', 'audio/flac'],
  ['.mp4', 'video/mp4'],
  ['.webm', 'video/webm'],
  ['.mov', 'video/quicktime'],
  ['.m3u8', 'application/vnd.apple.mpegurl'],
  ['.glb', 'model/gltf-binary'],
  ['.gltf', 'model/gltf+json'],
])

const compressibleType =
  /^text\/|[/+](?:json|xml)(?:;|$)|^application\/(?:wasm|vnd\.ms-fontobject)|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon)|^model\//

/**
 * The media type of a file by the end of its name; bytes when the name says nothing.
 */
export function contentTypeOf(file: string): string {
  return types.get(extname(file).toLowerCase()) ?? 'application/octet-stream'
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

const maxRemembered = 200

/**
 * Orders the codings by a client's wish; at equal weight by ours. Those it refuses are left out.
 * @param header of `accept-encoding`
 * @see RFC 9110 §12.5.3
 */
export function parseAcceptEncoding(header: string | undefined): Encoding[] {
  if (header === undefined) return ['identity']
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, toWeight(weight))
  }
  const others = weights.get('*')
  // Accepted unless refused, and less liked than whatever the client named.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : 1e-9)
  const ranked = codings.map(({ encoding }) => ({
    encoding,
    weight: weights.get(encoding) ?? others ?? 0,
  }))
  return [...ranked, { encoding: 'identity' as const, weight: identity }]
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ encoding }) => encoding)
}

/**
 * Makes a `parseAcceptEncoding` that remembers its answers: clients send few different headers.
 */
export function createAcceptedEncodings(): (header: string | undefined) => readonly Encoding[] {
  const remembered = new Map<string | undefined, Encoding[]>()
  return (header) => {
    let accepted = remembered.get(header)
    if (accepted === undefined) {
      accepted = parseAcceptEncoding(header)
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(header, accepted)
    }
    return accepted
  }
}

function toWeight(text: string | undefined): number {
  if (text === undefined) return 1
  const weight = Number(text)
  return weight >= 0 && weight <= 1 ? weight : 0
}
