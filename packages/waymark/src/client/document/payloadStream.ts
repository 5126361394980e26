import { readPayload } from 'virtual:waymark/hooks/readPayload'

/** Lets packages read the bytes of a payload on their way to React. Packages can't change the bytes. */
export function throughPackages(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return readPayload ? readPayload(stream) : stream
}
