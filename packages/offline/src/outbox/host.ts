import type { PackageRouter } from 'waymark/plugin'
import type { QueueableActions } from 'waymark/plugin/client'

/** Parts of the core that have been passed to the outbox so far. */
export type OutboxHost = {
  router: PackageRouter | null
  actions: QueueableActions | null
  startRouter: () => void
}
