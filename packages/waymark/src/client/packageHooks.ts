import type {
  NavigationKind,
  NavigationOutcome,
  NavigationState,
  RouterEvents,
} from '../components/navigationStore.ts'
import type { DataChange } from '../wire/callHeaders.ts'
import type { TracedEvent } from '../wire/trace.ts'
import type { QueueableActions } from './actions/callAction.ts'
import type { PendingCalls, ServerCall } from './actions/calls.ts'
import type { PayloadReader } from './hooks/callHooks.ts'
import type { Field } from './navigation/formFields.ts'
import type { Page } from './navigation/page.ts'

/** The parts of the router that packages can use. */
export type PackageRouter = {
  /** Returns the current page. */
  current(): Page
  /**
   * Tells the router that data has changed, so that it fetches earlier pages again before it shows
   * them.
   */
  invalidate(change: DataChange): void
  navigate(request: PackageNavigation): Promise<NavigationOutcome>
  /**
   * Fetches the current page again, unless a running navigation already fetches it.
   * @param screenPlace place in the page where a screen replaces a failed component
   */
  refresh(screenPlace?: string): Promise<NavigationOutcome>
  /**
   * Fetches the current page again, without a notice on a failure.
   * @returns true once the page is shown
   */
  renew(): Promise<boolean>
  /** Id of the document's build; `null` if it is unknown. */
  readonly build: string | null
  readonly calls: PendingCalls
  readonly events: RouterEvents
  /** State of the running navigation. */
  readonly store: {
    get(): NavigationState
    /** @returns a function that unsubscribes the listener */
    subscribe(listener: () => void): () => void
  }
  /** Returns the fields that the user has changed. */
  readonly changed: () => readonly Field[]
}

/** A navigation that a package starts. */
export type PackageNavigation = {
  readonly kind: NavigationKind
  readonly url: URL
  /** False if the scroll position should stay unchanged. */
  readonly scroll: boolean
}

/**
 * The functions that a package can run in browsers, each in its own module. Each function gets the
 * package's `clientOptions` as its last argument. The options have passed through JSON.
 */
export type ClientHooks<Options = object> = {
  /**
   * Receives the events of each page load, starting with the first script: navigations, page data
   * and actions, and in development also prefetches and errors. Return quickly, because the router
   * waits for the function.
   */
  readonly onEvent: (event: TracedEvent, options: Options) => void
  /**
   * Runs with the first script of a document, before React.
   * @param startRouter loads the router at once; otherwise, it loads when it is likely to be needed
   */
  readonly onBoot: (startRouter: () => void, options: Options) => void
  /** Runs once the document has loaded and the browser is idle. */
  readonly onIdle: (startRouter: () => void, options: Options) => void
  /** Runs once the router has started. */
  readonly onRouter: (router: PackageRouter, options: Options) => void
  /** Runs before React decodes a payload. @returns a reader that gets the bytes of the payload */
  readonly readPayload: (options: Options) => PayloadReader
  /**
   * Replaces the way in which the router runs calls to server actions.
   * @returns a function that runs a call with `actions.send`, or stores the call until it can be
   * sent
   */
  readonly queueCalls: (
    actions: QueueableActions,
    options: Options,
  ) => (call: ServerCall) => Promise<unknown>
  /**
   * Reads the encrypted user for whom the document was rendered; `null` for a document without a
   * user. Requests for page data contain this user, and the server refuses them if a different user
   * is signed in.
   */
  readonly sealedUser: (options: Options) => string | null
  /** Runs when the server has refused page data because a different user has signed in. */
  readonly onOtherUser: (options: Options) => void
}
