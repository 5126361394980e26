import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWaymark } from '../harness/commandLine.ts'

/** A parsed record of a journal. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** Data that a server stores about finished requests. */
export type Stored = { readonly records: readonly StoredRecord[]; readonly metrics: string }

/** Follows the journal, and returns a reader for the records that servers append from now on. */
export function followJournal(root: string): { take(): StoredRecord[] } {
  const folder = join(root, '.waymark/journal')
  const read = new Map<string, number>()

  function takeFrom(name: string): string[] {
    const bytes = readFileSync(join(folder, name))
    const from = read.get(name) ?? 0
    const to = bytes.lastIndexOf('\n') + 1
    read.set(name, to)
    return bytes.toString('utf8', from, to).split('\n').filter(Boolean)
  }

  function take(): StoredRecord[] {
    return listFiles(folder)
      .flatMap(takeFrom)
      .map((line) => JSON.parse(line) as StoredRecord)
  }

  take()
  return { take }
}

/**
 * Runs `waymark arrivals`.
 * @returns the report, both as JSON and as a page
 */
export async function readReport(root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-adversary-'))
  try {
    const page = join(folder, 'report.html')
    const { exitCode, output } = await runWaymark(['arrivals', '--json', '--html', page], root)
    if (exitCode !== 0) throw new Error(`waymark arrivals ended with ${exitCode}:\n${output}`)
    return output + readFileSync(page, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// The folder doesn't exist until a server writes its first record.
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  } catch {
    return []
  }
}
