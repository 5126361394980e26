'use client'

import { useMemo, useSyncExternalStore } from 'react'
import { type OutboxEntry, outboxState } from './outboxState.ts'

const none: readonly OutboxEntry[] = []

/**
 * Returns the current user's waiting entries, oldest first, from all tabs.
 * @param filter `name` of a form or of `queued()`; `pathname` of the page on which the entry was
 * created
 */
export function useOutbox({
  name,
  pathname,
}: {
  readonly name?: string
  readonly pathname?: string
} = {}): readonly OutboxEntry[] {
  const entries = useSyncExternalStore(outboxState.subscribe, outboxState.get, () => none)
  return useMemo(
    () =>
      entries.filter(
        (entry) =>
          (name === undefined || entry.name === name) &&
          (pathname === undefined || entry.pathname === pathname),
      ),
    [entries, name, pathname],
  )
}
