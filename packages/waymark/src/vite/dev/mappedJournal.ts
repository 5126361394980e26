import { SourceMap, type SourceMapPayload } from 'node:module'
import type { DevEnvironment } from 'vite'
import type { JournalDriver } from '../../journal/driver.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { parseFrame } from '../../journal/stackFrames.ts'

/**
 * Makes a journal that leads the stacks of browsers back to the author's files before they are
 * kept: what the dev server has sent to a browser is in its memory only.
 * @param client the environment that the browser's modules come from
 */
export function createMappedJournal(journal: JournalDriver, client: DevEnvironment): JournalDriver {
  const mapping = new Set<Promise<void>>()

  async function writeMapped(entry: JournalEntry): Promise<void> {
    const { browser } = entry
    const map = async (stack: string | null) => stack && (await mapStack(stack, client))
    try {
      const stack = await map(entry.stack)
      const componentStack = await map(browser?.componentStack ?? null)
      journal.write({ ...entry, stack, browser: browser && { ...browser, componentStack } })
    } catch {
      // A map that can't be read: the stack stays as the browser has written it.
      journal.write(entry)
    }
  }

  const settled = async () => void (await Promise.all(mapping))
  return {
    write(record) {
      if (record.kind !== 'error' || record.browser === null) return journal.write(record)
      const writing = writeMapped(record).finally(() => mapping.delete(writing))
      mapping.add(writing)
    },
    list: (filter) => settled().then(() => journal.list(filter)),
    groups: (filter) => settled().then(() => journal.groups(filter)),
    find: (digest) => settled().then(() => journal.find(digest)),
    flush: () => settled().then(() => journal.flush()),
    close: () => settled().then(() => journal.close()),
  }
}

async function mapStack(stack: string, client: DevEnvironment): Promise<string> {
  return (await Promise.all(stack.split('\n').map((line) => mapLine(line, client)))).join('\n')
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // No author wrote what stands there, and the maps are large.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const map = module?.transformResult?.map
  if (!module?.file || !map || !('mappings' in map) || !map.mappings) return text
  // Both speak of the same format, version 3.
  const found = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in found) || found.generatedLine !== line - 1) return text
  const place = `${module.file}:${found.originalLine + 1}:${found.originalColumn + 1}`
  return functionName === null ? `at ${place}` : `at ${functionName} (${place})`
}
