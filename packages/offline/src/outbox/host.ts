import type { PackageRouter } from 'waymark/plugin'
import type { QueueableActions } from 'waymark/plugin/client'

/** What the core has given so far. */
export type OutboxHost = {
  router: PackageRouter | null
  actions: QueueableActions | null
  startRouter: () => void
}
