import type { StandardIssue } from './standardSchema.ts'

/**
 * Reads the query of a URL as pages get it: a list where a name occurs more than once. The cost
 * grows with its length, whatever it repeats; `parseTarget` bounds length and pairs.
 * @param search with its question mark, or empty
 */
export function parseSearchParams(search: string): Record<string, string | string[]> {
  const params: Record<string, string | string[]> = {}
  if (search === '') return params
  const valuesByName = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const values = valuesByName.get(name)
    if (values) values.push(value)
    else valuesByName.set(name, [value])
  }
  for (const [name, values] of valuesByName) {
    // Defined, not assigned: a query may hold `__proto__`.
    Object.defineProperty(params, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return params
}

/** Writes what a schema finds wrong about a query, a line each. */
export function searchParamsIssues(issues: readonly StandardIssue[]): string {
  return issues.map(({ message, path = [] }) => `${keysOf(path)}${message}`).join('\n')
}

function keysOf(path: NonNullable<StandardIssue['path']>): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return keys.length > 0 ? `${keys.join('.')}: ` : ''
}
