import { readPayload } from 'virtual:waymark/hooks/readPayload'

/**
 * Lets packages read a payload's bytes as the bytes pass through to React. Packages can't change the
 * bytes.
 */
export function throughPackages(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return readPayload ? readPayload(stream) : stream
}
