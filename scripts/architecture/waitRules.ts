import { isTestFile } from './importRules.ts'
import { coreRoot } from './layers.ts'
import type { Source } from './source.ts'
import { requestCode, type WaitEnds, waitEnds } from './waitList.ts'

/** Matches waits that always end: a deadline, a timer, a turn of the event loop. */
const endsByItself = [
  /^withDeadline\(/,
  /^loadCode\(/,
  /^new Promise\(setImmediate\)$/,
  /^new Promise\(\(resolve\) => setTimeout\(resolve, \w+\)\)$/,
  /^Promise\.resolve\(\)$/,
  /^undefined$/,
]

/**
 * Finds waits within a request that the list does not contain. A call to one of our async functions
 * doesn't count, because it ends once the waits inside that function have ended.
 * @param listed the known waits, by the event that ends them
 */
export function waitViolations(sources: readonly Source[], listed: WaitEnds = waitEnds): string[] {
  const unused = new Set<string>()
  for (const files of Object.values(listed)) {
    for (const [file, waits] of Object.entries(files)) {
      for (const wait of waits) unused.add(`${coreRoot}${file} ${wait}`)
    }
  }
  const listedWaits = new Set(unused)
  const asyncOf = new Map(sources.map(({ path, asyncFunctions }) => [path, asyncFunctions]))
  const open = sources.filter(isWithinRequests).flatMap(({ path, imports, waits }) => {
    const files = [path, ...imports.flatMap(({ target }) => target ?? [])]
    const asyncFunctions = new Set(files.flatMap((file) => asyncOf.get(file) ?? []))
    return waits.flatMap(({ operand, callee, line }) => {
      if (callee !== null && asyncFunctions.has(callee)) return []
      if (endsByItself.some((pattern) => pattern.test(operand))) return []
      const entry = `${path} ${operand}`
      unused.delete(entry)
      if (listedWaits.has(entry)) return []
      return [
        `${path}:${line}: what ends the wait for ${operand}? Give it a deadline, or list it in waitList.ts.`,
      ]
    })
  })
  return [
    ...open,
    ...Array.from(unused, (entry) => `${entry} does not wait any more. Remove it from the list.`),
  ]
}

function isWithinRequests({ path }: Source): boolean {
  if (!path.startsWith(coreRoot) || isTestFile(path)) return false
  const file = path.slice(coreRoot.length)
  const { includes, excludes } = requestCode
  return (
    includes.some((part) => file.startsWith(part)) &&
    !excludes.some(([part]) => file.startsWith(part))
  )
}
