import { readFile } from 'node:fs/promises'
import { type DigestMatches, holdsDigest, type QueryCollector } from '../collect.ts'
import type { JournalEntry } from '../entry.ts'
import { type AggregateRecord, decodeRecord } from '../record.ts'
import { listJournalFiles } from './fileNames.ts'

// Entries are older than the file they stand in was changed, if all clocks agree.
const clockSlackMs = 60_000

/** Gives the records of a journal's files to a collector, as long as they can matter to it. */
export async function collectFiles(
  folder: string,
  collector: QueryCollector<unknown>,
): Promise<void> {
  for (const file of await listJournalFiles(folder)) {
    if (file.changedAtMs + clockSlackMs < collector.enoughBeforeMs) return
    for (const line of (await contents(file.path)).toString('utf8').split('\n')) {
      const record = line === '' ? null : decodeRecord(line)
      if (record) collector.take(record)
    }
  }
}

/** Finds the records that hold a digest, in the newest files first. */
export async function matchFiles(folder: string, digest: string): Promise<DigestMatches> {
  const entries: JournalEntry[] = []
  let alike: AggregateRecord | null = null
  for (const file of await listJournalFiles(folder)) {
    for (const line of linesWith(await contents(file.path), digest)) {
      const record = decodeRecord(line)
      if (!record || !holdsDigest(record, digest)) continue
      if (record.kind === 'error') entries.push(record)
      else alike = record
    }
    // A browser may have taken a digest of the server, so its entry alone ends no search.
    if (entries.some(({ phase }) => phase !== 'browser')) break
  }
  return { entries, alike }
}

async function contents(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    // Another process has removed it meanwhile, or it belongs to another user.
    return Buffer.alloc(0)
  }
}

/** The lines that hold a text. Bytes are compared: to decode 64 MB takes much longer. */
function* linesWith(bytes: Buffer, text: string): Iterable<string> {
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const end = bytes.indexOf(10, at)
    const lineEnd = end === -1 ? bytes.length : end
    yield bytes.toString('utf8', bytes.lastIndexOf(10, at) + 1, lineEnd)
    at = bytes.indexOf(text, lineEnd)
  }
}
