/**
 * Wraps a callback for React, Node or a stream, in which an error would otherwise end the process.
 */
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

/**
 * Returns the function's result, or `undefined` if it throws. For thrown values, blocked storage or
 * malformed strings.
 */
export function tryOrUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function warn(thrown: unknown): void {
  try {
    console.error('A callback failed that must not fail:', thrown)
  } catch {
    // The console can't print some thrown values, such as a Proxy.
  }
}
