'use client'

import { useMemo, useSyncExternalStore } from 'react'
import { type OutboxEntry, outboxState } from './outboxState.ts'

const none: readonly OutboxEntry[] = []

/**
 * What waits in this browser to be sent, oldest first: of the user who is here, in all tabs.
 * @param filter `name` of a form, or of `queued()`; `pathname` of the page it was made on
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
