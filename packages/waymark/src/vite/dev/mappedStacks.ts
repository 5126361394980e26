import { SourceMap, type SourceMapPayload } from 'node:module'
import type { DevEnvironment, EnvironmentModuleNode, RunnableDevEnvironment } from 'vite'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { parseFrame } from '../../journal/thrownText.ts'

export type MappedEnvironments = {
  /** Has the browser's modules. */
  readonly client: DevEnvironment
  /** Has the modules of server components. */
  readonly rsc: RunnableDevEnvironment
}

/**
 * Creates a journal that maps the stacks of browsers before it stores them: the dev server has the code
 * that it sent in memory only.
 */
export function createMappedJournal(
  journal: JournalDriver,
  environments: MappedEnvironments,
): JournalDriver {
  // Resolves when all entries so far are written.
  let written = Promise.resolve()

  const writeMapped = async (entry: JournalEntry) =>
    journal.write(await mapEntry(entry, environments))

  return {
    write(record) {
      if (record.kind !== 'error' || record.browser === null) return journal.write(record)
      written = written.then(() => writeMapped(record))
    },
    list: (filter) => written.then(() => journal.list(filter)),
    groups: (filter) => written.then(() => journal.groups(filter)),
    find: (digest) => written.then(() => journal.find(digest)),
    flush: () => written.then(() => journal.flush()),
    close: () => written.then(() => journal.close()),
  }
}

export async function mapEntry(
  entry: JournalEntry,
  { client, rsc }: MappedEnvironments,
): Promise<JournalEntry> {
  const { browser } = entry
  if (browser === null) return entry
  const mapStack = async (stack: string | null) => {
    const lines = stack?.split('\n').map(async (line) => {
      return line.includes('about://React/') ? mapServerStack(line, rsc) : mapLine(line, client)
    })
    return lines ? (await Promise.all(lines)).join('\n') : stack
  }
  try {
    const stack = await mapStack(entry.stack)
    const componentStack = await mapStack(browser.componentStack)
    return { ...entry, stack, browser: { ...browser, componentStack } }
  } catch {
    // The map can't be read.
    return entry
  }
}

/**
 * Maps the places of elements, as React writes them for server components. Vite's runner maps the other
 * frames of the server.
 */
export function mapServerStack(
  stack: string,
  { moduleGraph, runner }: RunnableDevEnvironment,
): string {
  const { startOffset = 0 } = runner.evaluator
  const inFile = /(?:about:\/\/React\/\w+\/)?(?:file:\/\/)?(\/[^\s()?]+)(?:\?\S*)?:(\d+):(\d+)/
  return stack.replace(
    new RegExp(inFile, 'g'),
    (given, file: string, line: string, column: string) => {
      const module = moduleGraph.getModuleById(decodeURIComponent(file))
      const at = { line: Number(line) - startOffset, column: Number(column) }
      const place = module && originalPlace(module, at)
      return place ? `${file}:${place}` : given
    },
  )
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // Maps of packages are large, and nobody reads their code.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const place = module && originalPlace(module, { line, column })
  if (!place) return text
  const mapped = `${module.file}:${place}`
  return functionName === null ? `at ${mapped}` : `at ${functionName} (${mapped})`
}

/** @returns line and column in the author's file, with a colon between them */
function originalPlace(
  { file, transformResult }: EnvironmentModuleNode,
  { line, column }: { readonly line: number; readonly column: number },
): string | null {
  const map = transformResult?.map
  if (!file || !map || !('mappings' in map) || !map.mappings) return null
  // Both types mean version 3 of the format.
  const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in found) || found.generatedLine !== line - 1) return null
  return `${found.originalLine + 1}:${found.originalColumn + 1}`
}
