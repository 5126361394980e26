/**
 * Runs what may fail without harm: an error in the reporting of an error must not become an error
 * of the request.
 * @returns `undefined` when it threw
 */
export function tryOrUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
