import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { frameLines, type InspectedServer } from 'waymark/internal/vite'
import type { CodePlace } from './mcp/inspectedApp.ts'

/** What reasons that no call has look like in a file, the innermost file first. */
const signs: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['force-dynamic', /\bdynamic\s*=\s*['"]force-dynamic['"]/],
  ['revalidate', /\brevalidate\s*=\s*0\b/],
  // `await` uses a promise in a turn of its own, whose stack names nobody.
  ['searchParams', /(?:await|use\()\s*(?:\w+\.)?searchParams\b/],
  ['searchParams', /\bsearchParams\b/],
  ['request.headers', /\.headers\b/],
  ['a set-cookie header', /\.set\(|set-cookie/i],
]

/**
 * Finds the line of the app that made a URL dynamic.
 * @param given the stacks of the first use, where there are any; the files of the route from the
 *   root layout down, absolute
 */
export async function findDynamicPlace(
  given: {
    readonly reason: string
    readonly stack: string | undefined
    readonly files: readonly string[]
  },
  mapStack: InspectedServer['mapStack'],
): Promise<CodePlace | null> {
  const lines = frameLines(given.stack ?? '').join('\n')
  const frames = await mapStack(lines, { isBrowser: false, buildId: null })
  for (const { place } of frames) {
    if (!place?.isOwn || place.source === null) continue
    const { file, line, column, source } = place
    return { file, line, column, code: lineOf(source, line) }
  }
  return findInFiles(given.reason, given.files)
}

async function findInFiles(reason: string, files: readonly string[]): Promise<CodePlace | null> {
  for (const [start, pattern] of signs) {
    if (!reason.startsWith(start)) continue
    for (const file of files.toReversed()) {
      const source = await readFile(file, 'utf8').catch(() => '')
      const before = source.slice(0, source.search(pattern)).split('\n')
      if (!pattern.test(source)) continue
      const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1]
      return { file: path.normalize(file), line, column, code: lineOf(source, line) }
    }
  }
  return null
}

function lineOf(source: string, line: number): string {
  return (source.split('\n')[line - 1] ?? '').trim().slice(0, 200)
}
