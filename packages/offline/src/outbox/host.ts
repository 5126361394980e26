import type { QueueableActions } from 'waymark/internal'
import type { PackageRouter } from 'waymark/plugin'

/** What the core has given so far. */
export type OutboxHost = {
  router: PackageRouter | null
  actions: QueueableActions | null
  startRouter: () => void
}
