import type { Records, SessionRecord } from './records.ts'

/** Milliseconds between two checks of a session that another process may have ended. */
export const checkEveryMs = 10_000

type Watcher = { readonly record: SessionRecord; readonly end: () => void }

/** Watches sessions for connections that are open for longer than a request. */
export function createWatchers({ isActive }: Pick<Records, 'isActive'>) {
  const watchers = new Set<Watcher>()

  function endWhere(isEnded: (record: SessionRecord) => boolean): void {
    for (const { record, end } of [...watchers]) if (isEnded(record)) end()
  }

  return {
    /** @returns a function that removes the watcher */
    add(record: SessionRecord, listener: () => void): () => void {
      const timer = setInterval(() => void check(), checkEveryMs)
      // Don't keep the process alive.
      timer.unref()
      const watcher: Watcher = { record, end }

      function stop(): void {
        clearInterval(timer)
        watchers.delete(watcher)
      }

      function end(): void {
        if (!watchers.has(watcher)) return
        stop()
        listener()
      }

      async function check(): Promise<void> {
        try {
          if (!(await isActive(record))) end()
        } catch {
          // Ignore errors of the store, because the next check asks again.
        }
      }

      watchers.add(watcher)
      return stop
    },
    endHandle(handle: string): void {
      endWhere((record) => record.handle === handle)
    },
    endUser(userId: string, exceptHandle: string | null): void {
      endWhere((record) => record.userId === userId && record.handle !== exceptHandle)
    },
  }
}
