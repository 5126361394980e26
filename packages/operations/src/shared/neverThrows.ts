/**
 * Wraps a callback of Node, which would end the process if it threw: what it throws is a warning.
 * @returns a function that returns nothing
 */
export function neverThrows<Args extends unknown[]>(
  run: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      run(...args)
    } catch (thrown) {
      console.error('A callback failed that may not:', thrown)
    }
  }
}
