import type { OfflineClient } from 'waymark/internal'

/** Runs calls of actions. */
export const queue: OfflineClient['queue'] =
  ({ send }) =>
  (call) =>
    send(call)
