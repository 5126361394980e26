import { cached } from 'waymark/server'

/**
 * Caches a function with `'use cache'`. The build inserts the call.
 * @param run a function, or another value that a file with the directive exports
 * @param id name of the function: its file, and its place there
 */
export function cachedByDirective<Value>(run: Value, id: string): Value {
  if (typeof run !== 'function') return run
  const wrapped = cached(run as unknown as (...args: unknown[]) => unknown, {}, id)
  // `cached()` returns a function with the same parameters, and with a promise of the same result.
  return Object.defineProperty(wrapped, 'name', { value: run.name }) as Value
}
