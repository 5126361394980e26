import { cached } from 'waymark/server'

/**
 * Caches a function with `'use cache'`. The build inserts the calls.
 * @param run a function, or any other value exported from a file with the directive
 * @param id name of the function: its file and its position in the file
 */
export function cachedByDirective<Value>(run: Value, id: string): Value {
  if (typeof run !== 'function') return run
  const wrapped = cached(run as unknown as (...args: unknown[]) => unknown, {}, id)
  // The wrapped function has the same type, because `cached()` keeps the parameters, and async
  // functions already return a promise.
  return Object.defineProperty(wrapped, 'name', { value: run.name }) as Value
}
