import { cached } from 'waymark/server'

const cachedFunctions = new WeakSet<object>()

/**
 * Caches a function with `'use cache'`. The build inserts the calls.
 * @param run a function, or any other value exported from a file with the directive
 * @param id name of the function: its file and its position in the file
 * @param keyedArguments number of arguments that the function can read, which are the key. React
 * and the framework call components and `generateMetadata` with more. Default: all arguments.
 */
export function cachedByDirective<Value>(run: Value, id: string, keyedArguments?: number): Value {
  // In a file with the directive, an exported function may have the directive, too.
  if (typeof run !== 'function' || cachedFunctions.has(run)) return run
  const wrapped = cached(run as unknown as (...args: unknown[]) => unknown, {}, id)
  const keyed = (...args: unknown[]) => wrapped(...args.slice(0, keyedArguments))
  cachedFunctions.add(keyed)
  // The result has the type of the function, because `cached()` keeps the parameters, and async
  // functions already return a promise.
  return Object.defineProperty(keyed, 'name', { value: run.name }) as Value
}
