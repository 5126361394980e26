/** Turns what is pushed into what is pulled: bytes for a body that arrives in pieces. */
export type BodyQueue = {
  push(bytes: Uint8Array): void
  end(): void
  /** The body breaks off there: its reader gets the error. */
  fail(error: unknown): void
  /**
   * The body, to be read once.
   * @param onLeave called when the reader goes away before the end
   */
  body(onLeave: () => void): AsyncGenerator<Uint8Array>
}

/** Makes a queue. Pieces pushed while the reader is busy are joined into one. */
export function createBodyQueue(): BodyQueue {
  let ready: Uint8Array[] = []
  let hasEnded = false
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}

  async function* body(onLeave: () => void): AsyncGenerator<Uint8Array> {
    try {
      while (failure === null) {
        if (ready.length > 0) {
          const bytes = ready.length === 1 ? ready[0] : Buffer.concat(ready)
          ready = []
          yield bytes as Uint8Array
        } else if (hasEnded) {
          return
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
      throw failure.error
    } finally {
      if (!hasEnded) onLeave()
    }
  }

  return {
    push(bytes) {
      ready.push(bytes)
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
