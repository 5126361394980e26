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

/** The parts of the router that packages get. */
export type PackageRouter = {
  /** The page on the screen. */
  current(): Page
  /** Says that data was changed which pages may show: none that was fetched before is shown again. */
  invalidate(change: DataChange): void
  navigate(request: PackageNavigation): Promise<NavigationOutcome>
  /**
   * Fetches the page on the screen again, unless a navigation does.
   * @param screenPlace where a screen stands in place of a part of the page
   */
  refresh(screenPlace?: string): Promise<NavigationOutcome>
  /** Fetches the page on the screen again, without a notice if that fails. @returns true when shown */
  renew(): Promise<boolean>
  /** Id of the document's build; `null` when it is not known. */
  readonly build: string | null
  readonly calls: PendingCalls
  readonly events: RouterEvents
  /** The state of the running navigation. */
  readonly store: {
    get(): NavigationState
    /** @returns a function that stops */
    subscribe(listener: () => void): () => void
  }
  /** The fields that hold what the user has typed. */
  readonly changed: () => readonly Field[]
}

/** A navigation that a package starts. */
export type PackageNavigation = {
  readonly kind: NavigationKind
  readonly url: URL
  /** `false` leaves the scroll position as it is. */
  readonly scroll: boolean
}

/**
 * The functions that a package may have in browsers, each in a module of its choice. Each gets
 * `clientOptions` of the package as its last argument, as JSON has left them.
 */
export type ClientHooks<Options = object> = {
  /**
   * Receives the events of each load from the first script on: navigations, page data and actions,
   * and in development prefetches and errors. It runs while the router works, so it should return at
   * once.
   */
  readonly onEvent: (event: TracedEvent, options: Options) => void
  /**
   * Runs with the first script of a document, before React.
   * @param startRouter loads the router now rather than when it is likely to be needed
   */
  readonly onBoot: (startRouter: () => void, options: Options) => void
  /** Runs once the document has loaded and the browser is idle. */
  readonly onIdle: (startRouter: () => void, options: Options) => void
  /** Runs once the router has started. */
  readonly onRouter: (router: PackageRouter, options: Options) => void
  /** Runs before React decodes a payload. @returns gets the bytes of the payload */
  readonly readPayload: (options: Options) => PayloadReader
  /**
   * Runs the calls of server actions in place of the router.
   * @returns runs a call with `actions.send`, or stores it until it can be sent
   */
  readonly queueCalls: (
    actions: QueueableActions,
    options: Options,
  ) => (call: ServerCall) => Promise<unknown>
  /**
   * Reads the user whom the document names, as the server has sealed it; `null` where it names nobody.
   * Requests for page data carry it, and the server refuses those of another user.
   */
  readonly sealedUser: (options: Options) => string | null
  /** Runs when the server has refused page data because somebody else has signed in. */
  readonly onOtherUser: (options: Options) => void
}
