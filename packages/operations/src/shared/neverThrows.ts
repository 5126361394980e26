/**
 * Wraps a Node callback, which would end the process if it threw. Errors are logged instead.
 * @returns a function that returns nothing
 */
export function neverThrows<Args extends unknown[]>(
  run: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      run(...args)
    } catch (thrown) {
      console.error('An internal callback threw an error:', thrown)
    }
  }
}
