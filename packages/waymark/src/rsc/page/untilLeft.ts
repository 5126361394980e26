import type { StreamedBody } from '../../shared/answer.ts'

/**
 * Tells when the reader of a body goes away, or the body breaks off: at once, also before the
 * first piece and while the next one is awaited, which a generator could not.
 */
export function untilClientLeft(body: StreamedBody, onLeave: () => void): StreamedBody {
  const { stopHeartbeat } = body
  return {
    ...(stopHeartbeat && { stopHeartbeat }),
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            return await iterator.next()
          } catch (error) {
            onLeave()
            throw error
          }
        },
        async return() {
          onLeave()
          await iterator.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
