/** Turns what is pushed into what is pulled: bytes for a body that arrives in pieces. */
export type BodyQueue = {
  push(bytes: Uint8Array): void
  end(): void
  /** The body breaks off there: its reader gets the error. */
  fail(error: unknown): void
  /**
   * The body, to be read once.
   * @param onLeave called when the reader goes away before the end, at once, or the body breaks off
   */
  body(onLeave: () => void): AsyncIterable<Uint8Array>
}

/** Makes a queue. Pieces pushed while the reader is busy are joined into one. */
export function createBodyQueue(): BodyQueue {
  let ready: Uint8Array[] = []
  let hasEnded = false
  let hasLeft = false
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}

  // No generator: one that waits hears of its reader's leaving with the next piece only, and one
  // that was never started not at all.
  function body(onLeave: () => void): AsyncIterable<Uint8Array> {
    const leave = () => {
      if (hasEnded || hasLeft) return
      hasLeft = true
      ready = []
      onLeave()
      wake()
    }
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      while (!hasLeft && failure === null) {
        if (ready.length > 0) {
          const value = ready.length === 1 ? (ready[0] as Uint8Array) : Buffer.concat(ready)
          ready = []
          return { done: false, value }
        }
        if (hasEnded) break
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (hasLeft || failure === null) return over
      leave()
      throw failure.error
    }
    return {
      [Symbol.asyncIterator]: () => ({
        next,
        async return() {
          leave()
          return over
        },
      }),
    }
  }

  return {
    push(bytes) {
      if (!hasLeft) ready.push(bytes)
      wake()
    },
    end() {
      hasEnded = true
      wake()
    },
    fail(error) {
      failure = { error }
      wake()
    },
    body,
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }
