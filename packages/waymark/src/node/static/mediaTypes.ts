import { extname } from 'node:path'
import { mimes } from 'mrmime'
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
