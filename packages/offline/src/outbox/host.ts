import type { OfflineClient, QueueableActions } from 'waymark/internal'

/** What the core has given so far. */
export type OutboxHost = {
  router: Parameters<OfflineClient['attach']>[0] | null
  actions: QueueableActions | null
  startRouter: () => void
}
