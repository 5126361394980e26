import type { NavigationOutcome, NavigationStore } from '../components/navigationStore.ts'
import type { NavigateOptions } from '../components/routerContext.ts'
import type { PendingCalls, ServerCall } from './actions/calls.ts'
import type { ClientModules } from './assets/modules.ts'
import type { Blockers } from './navigation/blockers.ts'
import type { NavigationRequest, RouterEvents } from './navigation/navigation.ts'
import type { RootStore } from './react/rootStore.ts'

/** The router as the document's listeners see it. */
export type RouterCore = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  /** Goes where code of the app wants to; of another site, by a document. */
  go(kind: 'push' | 'replace', href: string, options?: NavigateOptions): Promise<NavigationOutcome>
  refresh(): Promise<NavigationOutcome>
  /** Asks for the current page with its true status, after a signal that came too late. */
  fetchFinalStatus(): void
  /** The browser went to another history entry. */
  traverse(): void
  /** Gives the result of a server action. */
  answer(call: ServerCall): Promise<unknown>
  /** Code of this page can't be loaded: only a new document can help. */
  reloadForAssets(): void
  /** What still arrived of this page was cut or fell silent. */
  mend(): void
  /** React has taken over the document. */
  settled(): void
}

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
