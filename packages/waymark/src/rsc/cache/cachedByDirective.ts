import { cached } from './cached.ts'

/**
 * Wraps a function that says `'use cache'`: what the build puts in its place.
 * @param id of the function's place in the sources
 */
export function cachedByDirective<Value>(run: Value, id: string): Value {
  // A file may export other things, too.
  if (typeof run !== 'function') return run
  const wrapped = cached(run as (...args: unknown[]) => unknown, {}, id)
  return Object.defineProperty(wrapped, 'name', { value: run.name }) as Value
}
