import { readPayload } from 'virtual:waymark/hooks/readPayload'

/** Lets packages read a payload's bytes on their way to React, but not change them. */
export function throughPackages(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return readPayload ? readPayload(stream) : stream
}
