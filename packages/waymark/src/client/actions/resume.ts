import { crc32 } from '../../shared/endMark.ts'
import type { VerifiedEnd } from '../navigation/verifiedStream.ts'

/**
 * Goes on in an answer that is given again: what was passed on of the first one is left out.
 * @param onProgress called for each piece of that
 * @returns `null` when it does not begin with the same bytes
 */
export async function resume(
  body: ReadableStream<Uint8Array>,
  { byteCount, checksum }: VerifiedEnd,
  onProgress: () => void,
): Promise<ReadableStream<Uint8Array> | null> {
  const reader = body.getReader()
  let left = byteCount
  let found = 0
  let rest: Uint8Array = new Uint8Array()
  while (left > 0) {
    const { done, value } = await reader.read()
    if (done) return null
    onProgress()
    const known = value.subarray(0, left)
    found = crc32(known, found)
    left -= known.length
    rest = value.subarray(known.length)
  }
  if (found !== checksum) {
    reader.cancel().catch(() => {})
    return null
  }
  return new ReadableStream({
    start: (controller) => void (rest.length > 0 && controller.enqueue(rest)),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
