/**
 * Wraps a callback that is handed to React, to Node or to a stream: they call it from a place where
 * nothing catches what it throws, and one request would end the process of all. What it throws
 * goes to the console, since only a bug of the framework's own comes here.
 * @param instead what the caller gets then
 */
export function neverThrows<Given extends unknown[], Result>(
  call: (...given: Given) => Result,
  instead: Result,
): (...given: Given) => Result {
  return (...given) => {
    try {
      return call(...given)
    } catch (thrown) {
      warn(thrown)
      return instead
    }
  }
}

function warn(thrown: unknown): void {
  try {
    console.error('A callback failed that may not:', thrown)
  } catch {
    // A console that can't print what was thrown, such as a Proxy, can't print this error either.
  }
}
