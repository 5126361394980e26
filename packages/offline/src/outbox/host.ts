import type { PackageRouter } from 'waymark/plugin'
import type { QueueableActions } from 'waymark/plugin/client'

/** Parts of the core that the outbox has received so far. */
export type OutboxHost = {
  router: PackageRouter | null
  actions: QueueableActions | null
  startRouter: () => void
}
