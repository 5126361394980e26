/**
 * Tells whether something can be waited for: a promise of any kind, as React and `await` ask for
 * it. A query builder is one, and no `Promise`.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  )
}
