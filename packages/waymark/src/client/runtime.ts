import type {
  NavigationOutcome,
  NavigationStore,
  RouterEvents,
} from '../components/navigationStore.ts'
import type { Blocker, ClientScreens } from '../components/routerContext.ts'
import type { PendingCalls, ServerCall } from './actions/calls.ts'
import type { LazyModule } from './assets/lazyModule.ts'
import type { ClientModules, MissingModule } from './assets/modules.ts'
import type { DocumentStream } from './document/documentStream.ts'
import type { ErrorReports } from './errors/errorReports.ts'
import type { PreHydrationInput, TouchedFields } from './navigation/formFields.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import type { Navigator } from './navigation/navigator.ts'
import type { PrefetchStarter } from './prefetch/prefetchStarter.ts'
import type { RootStore } from './react/rootStore.ts'
import type { loadCurrentPage } from './recoverDocument.ts'

export type BootOptions = {
  readonly documentStream: DocumentStream
  readonly prefetch: PrefetchStarter
  readonly history: HistoryEntries
  readonly errors: ErrorReports
  readonly fields: TouchedFields
  readonly routerChunk: LazyModule<RouterChunk>
}

type RouterChunk = ClientScreens & {
  readonly loadNamedModules: (document: Document) => void
  readonly createRouter: (loader: Loader, hydrated: HydratedDocument) => RouterCore
  readonly loadCurrentPage: typeof loadCurrentPage
}

/** Starts React and the router, each once, and queues navigations until the router has started. */
export type Loader = BootOptions & {
  preload(): void
  hydrate(): Promise<HydratedDocument>
  start(): Promise<RouterCore>
  router(): RouterCore | null
  hasBegun(): boolean
  /** Navigates as soon as the router has loaded. */
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
}

export type HydratedDocument = {
  readonly rootStore: RootStore
  readonly modules: ClientModules
  /** Id of the document's build; `null` if it is unknown. */
  readonly build: string | null
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly blockers: Set<Blocker>
  readonly calls: PendingCalls
  /** Values that the user entered into fields before hydration. More values may be added later. */
  readonly preHydrationInputs: PreHydrationInput[]
}

/** The part of the router that navigates between pages and runs server actions. */
export type RouterCore = Navigator & {
  callServer(call: ServerCall): Promise<unknown>
  /** Handles a module that the document's page needs and that can't be loaded. */
  onMissing(missing: MissingModule): void
}
