/**
 * Calls the functions that packages have for a hook. One that throws is reported as an uncaught error:
 * a package must not stop a page, nor the packages after it.
 */
export function callHooks<Given extends unknown[]>(
  hooks: readonly ((...given: Given) => void)[],
  ...given: Given
): void {
  for (const hook of hooks) {
    try {
      hook(...given)
    } catch (thrown) {
      reportError(thrown)
    }
  }
}
