import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { InspectedPage } from 'waymark/plugin/dev'
import { positionAt } from './explain/sources.ts'
import type { CodePlace } from './mcp/inspectedApp.ts'

/**
 * Patterns for reasons that are reported without a stack. They are looked up in the route's files,
 * innermost file first.
 */
const signs: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['force-dynamic', /\bdynamic\s*=\s*['"]force-dynamic['"]/],
  ['revalidate', /\brevalidate\s*=\s*0\b/],
  // `await` uses the promise in a later task, whose stack doesn't contain the app's code. So look
  // for code that awaits `searchParams`.
  ['searchParams', /(?:await|use\()\s*(?:\w+\.)?searchParams\b/],
  ['searchParams', /\bsearchParams\b/],
  ['request.headers', /\.headers\b/],
  ['a set-cookie header', /\.set\(|set-cookie/i],
]

/**
 * Finds the line in the app that made a URL dynamic.
 * @param files absolute paths of the route's files, from the root layout down. They are searched if
 * the reason has no stack.
 */
export async function findDynamicPlace(
  { reason, place }: Pick<InspectedPage, 'reason' | 'place'>,
  files: readonly string[],
): Promise<CodePlace | null> {
  if (!place) return findInFiles(reason ?? '', files)
  const { file, line, column, source } = place
  return { file, line, column, code: lineOf(source, line) }
}

async function findInFiles(reason: string, files: readonly string[]): Promise<CodePlace | null> {
  for (const [start, pattern] of signs) {
    if (!reason.startsWith(start)) continue
    for (const file of files.toReversed()) {
      const source = await readFile(file, 'utf8').catch(() => '')
      const index = source.search(pattern)
      if (index < 0) continue
      const { line, column } = positionAt(source, index)
      return { file: path.normalize(file), line, column, code: lineOf(source, line) }
    }
  }
  return null
}

function lineOf(source: string, line: number): string {
  return (source.split('\n')[line - 1] ?? '').trim().slice(0, 200)
}
