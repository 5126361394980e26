/** Wraps a callback of React, Node or a stream, where an uncaught error would end the process. */
export function neverThrows<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  fallback: Result,
): (...args: Args) => Result {
  return (...args) => {
    try {
      return call(...args)
    } catch (thrown) {
      warn(thrown)
      return fallback
    }
  }
}

/** For what may throw and must not: reading a thrown value, blocked storage, a malformed text. */
export function tryOrUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function warn(thrown: unknown): void {
  try {
    console.error('A callback failed that may not:', thrown)
  } catch {
    // The console can't print some thrown values, such as a Proxy.
  }
}
