/**
 * Checks that a value survives a round trip through JSON.
 * @throws an error that says where the first value is that JSON can't represent
 */
export function assertJson(data: unknown): void {
  const problem = findProblem(data, 'data')
  if (problem === null) return
  throw new Error(
    `The session can't store ${problem}. Store only strings, numbers, booleans, null, arrays and plain objects, such as a time as milliseconds.`,
  )
}

const maxDepth = 50

function findProblem(value: unknown, place: string, depth = 0): string | null {
  if (depth > maxDepth) return `${place}, because it contains itself or is nested too deeply`
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return null
    case 'number':
      return Number.isFinite(value) ? null : `${place}, which is ${value}`
    case 'object':
      return value === null ? null : findInside(value, place, depth)
    default:
      return `${place}, which is a ${typeof value}`
  }
}

function findInside(value: object, place: string, depth: number): string | null {
  const prototype = Object.getPrototypeOf(value)
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null
  if (!isPlain) return `${place}, which is a ${value.constructor.name}`
  for (const [key, each] of Object.entries(value)) {
    const problem = findProblem(each, `${place}.${key}`, depth + 1)
    if (problem !== null) return problem
  }
  return null
}
