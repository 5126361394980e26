import { extname } from 'node:path'
import { parseWeighted } from '../../shared/accept.ts'
import { setBounded } from '../../shared/boundedMap.ts'
import { payloadType } from '../../shared/protocol.ts'

// The type, then the ends of its files' names.
const typeTable = `
  text/html html htm
  text/css css
  text/javascript js mjs
  text/plain txt
  text/markdown md
  text/csv csv
  text/calendar ics
  text/vtt vtt
  application/json json map
  application/ld+json jsonld
  application/geo+json geojson
  application/manifest+json webmanifest
  application/xml xml
  application/rss+xml rss
  application/atom+xml atom
  application/xslt+xml xsl
  application/wasm wasm
  application/pdf pdf
  application/zip zip
  application/gzip gz
  image/svg+xml svg
  image/png png
  image/apng apng
  image/jpeg jpg jpeg
  image/gif gif
  image/webp webp
  image/avif avif
  image/jxl jxl
  image/bmp bmp
  image/x-icon ico
  font/woff woff
  font/woff2 woff2
  font/ttf ttf
  font/otf otf
  application/vnd.ms-fontobject eot
  audio/mpeg mp3
  audio/mp4 m4a
  audio/ogg ogg opus
  audio/wav wav
  audio/flac flac
  video/mp4 mp4
  video/webm webm
  video/quicktime mov
  application/vnd.apple.mpegurl m3u8
  model/gltf-binary glb
  model/gltf+json gltf
`

const types = new Map([['.rsc', payloadType]])
for (const line of typeTable.trim().split('\n')) {
  const [type = '', ...extensions] = line.trim().split(' ')
  const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type
  for (const extension of extensions) types.set(`.${extension}`, contentType)
}

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
