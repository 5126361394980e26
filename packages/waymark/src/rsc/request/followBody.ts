import type { StreamedBody } from '../../shared/response.ts'

/** What is done while a body is read. */
export type BodyFollower = {
  readonly onChunk?: (bytes: Uint8Array) => void
  /** Called at its end; with `false` where it breaks off. */
  readonly onEnd: (isWhole: boolean) => void
  /** Called when its reader goes away, to close the rest of it, or to read on. */
  readonly onLeave: (rest: {
    readonly next: () => Promise<IteratorResult<Uint8Array>>
    readonly close: () => Promise<unknown>
  }) => unknown
}

/**
 * Follows how a body is read. No generator: one learns only with the next piece that its reader has
 * left, and one that was never started not at all.
 * @returns the body to be read in its place
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
