/**
 * The reason given to a renderer whose output nobody wants any more. React reports the reason of
 * an abort like an error; this one is none.
 */
export const abandoned = new Error('The rendering was abandoned.')

/** Keeps an abandoned rendering out of the reports. */
export function ignoreAbandoned(onError: (thrown: unknown) => string): (thrown: unknown) => string {
  return (thrown) => (thrown === abandoned ? '' : onError(thrown))
}
