/**
 * Waits up to `ms` for a database or a download, which may hang. After that, rejects and ignores
 * the result.
 */
export function inTime<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error(`The operation took longer than ${ms} ms.`)),
      ms,
    )
    const end =
      <Outcome>(settle: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        clearTimeout(limit)
        settle(outcome)
      }
    promise.then(end(resolve), end(reject))
  })
}
