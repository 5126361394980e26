import { timedOut, withDeadline } from '../shared/promises.ts'
import type { JournalDriver } from './journalDriver.ts'

// Maximum milliseconds for flushing. It is long because a journal may have thousands of entries in
// memory when its process ends.
export const flushWithinMs = 5_000

/**
 * Adds deadlines to `flush()` and `close()`, for which a process waits before it ends. Also catches
 * errors from `write()`, so that a failing journal doesn't break requests. Methods that read the
 * journal may still reject.
 * @param log called once for each method
 */
export function withJournalDeadlines(
  driver: JournalDriver,
  log: (line: string) => void,
): JournalDriver {
  const logged = new Set<string>()

  function logFailure(method: string, reason: string): void {
    if (logged.has(method)) return
    logged.add(method)
    log(`The journal driver failed in ${method}(): ${reason}`)
  }

  async function settle(method: 'flush' | 'close'): Promise<void> {
    try {
      const settled = await withDeadline(driver[method](), flushWithinMs)
      if (settled === timedOut) logFailure(method, `no response within ${flushWithinMs / 1000} s.`)
    } catch (thrown) {
      logFailure(method, reasonOf(thrown))
    }
  }

  return {
    write(record) {
      try {
        driver.write(record)
      } catch (thrown) {
        logFailure('write', reasonOf(thrown))
      }
    },
    list: (filter) => driver.list(filter),
    groups: (filter) => driver.groups(filter),
    find: async (digest) => driver.find(digest),
    counts: (filter) => driver.counts(filter),
    flush: () => settle('flush'),
    close: () => settle('close'),
  }
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
