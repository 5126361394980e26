import { type JournalEntry, minimalEntry } from './entry.ts'
import { readRecord } from './record.ts'

/** An app's own say on what is kept of an error; it gets a copy and returns what to keep. */
export type RedactHook = (entry: JournalEntry) => JournalEntry

/**
 * Runs an app's redact hook over an entry. A hook that throws, or returns something else than the
 * same occurrence, leaves nothing but what can hold no secret.
 */
export function redactEntry(entry: JournalEntry, hook: RedactHook | undefined): JournalEntry {
  if (!hook) return entry
  try {
    const kept = readRecord(hook(structuredClone(entry)))
    if (kept?.kind === 'error' && kept.digest === entry.digest) return kept
    return minimalEntry(
      entry,
      'The redact hook did not return the entry, so its text was left out.',
    )
  } catch {
    return minimalEntry(entry, 'The redact hook threw, so the text of this error was left out.')
  }
}
