import type { StreamedBody } from '../../shared/response.ts'

export type BodyFollower = {
  readonly onChunk?: (bytes: Uint8Array) => void
  /** False when the body broke off. */
  readonly onEnd: (isWhole: boolean) => void
  /** Called when the reader leaves; `rest` closes the body, or reads on. */
  readonly onLeave: (rest: {
    readonly next: () => Promise<IteratorResult<Uint8Array>>
    readonly close: () => Promise<unknown>
  }) => unknown
}

/**
 * Observes how a body is read. Not a generator: a generator learns only at the next chunk that its
 * reader left, and nothing when it was never started.
 * @returns the body to read instead
 */
export function followBody(body: StreamedBody, follower: BodyFollower): StreamedBody {
  const { stopHeartbeat } = body
  const { onChunk, onEnd, onLeave } = follower
  return {
    ...(stopHeartbeat && { stopHeartbeat }),
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      async function next(): Promise<IteratorResult<Uint8Array>> {
        try {
          const result = await iterator.next()
          if (result.done) onEnd(true)
          else onChunk?.(result.value)
          return result
        } catch (error) {
          onEnd(false)
          throw error
        }
      }
      return {
        next,
        async return() {
          await onLeave({ next, close: async () => iterator.return?.() })
          return { done: true, value: undefined }
        },
      }
    },
  }
}
