import type { PendingCalls } from './actions/calls.ts'
import type { ClientModules } from './modules.ts'
import type { Blockers } from './navigation/blockers.ts'
import type { NavigationStore, RouterEvents } from './navigation/navigation.ts'
import type { RootStore } from './stage.ts'

/** A document that React takes over: what the router finds there when it comes. */
export type HydratedDocument = {
  readonly stage: RootStore
  readonly modules: ClientModules
  /** Id of the document's build; `null` when it is not known. */
  readonly build: string | null
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly blockers: Blockers
  readonly calls: PendingCalls
}
