import type { PayloadReader } from 'waymark/plugin'
import { readRow, type Subscription } from '../shared/subscriptionRow.ts'

// Length of a payload's end in which to look for a subscription row. A row has at most 20 kB.
const maxTail = 64 * 1024
const maxRows = 100

/** Reads pages' subscriptions from their payloads on the way to React. */
export function createSubscriptions(onRow: () => void) {
  // Subscriptions, most recently used last.
  const rows = new Map<string, Subscription>()
  const decoder = new TextDecoder()

  function keep(row: Subscription): void {
    rows.delete(row.rendering)
    rows.set(row.rendering, row)
  }

  function add(row: Subscription | null): void {
    if (!row) return
    keep(row)
    for (const first of rows.keys()) if (rows.size > maxRows) rows.delete(first)
    onRow()
  }

  return {
    of(rendering: string): Subscription | undefined {
      const row = rows.get(rendering)
      if (row) keep(row)
      return row
    },
    readEnd(): Required<PayloadReader> {
      let tail = ''
      return {
        chunk(bytes) {
          tail = (tail + decoder.decode(bytes)).slice(-maxTail)
        },
        end: () => add(readRow(tail)),
      }
    },
  }
}
