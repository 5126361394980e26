import type { NavigationEvents, NavigationKind } from '../../components/navigationStore.ts'
import type { Emitter } from './events.ts'
import type { LoadedPage } from './fetchPage.ts'

/** A navigation that was asked for. */
export type NavigationRequest = {
  readonly kind: NavigationKind
  readonly url: URL
  readonly scroll: boolean
  /** The link that was clicked: it shows the pending state. */
  readonly link?: Element | null
  /** Of the entry that a traversal leads to. */
  readonly key?: string
  readonly signal?: AbortSignal | undefined
  /** Waits for all of the page, so that its status is the true one. */
  readonly isPatient?: boolean
  /** The answer of an action leads there: the person has decided already. */
  readonly answer?: {
    /** The page that came with it, given out once; `null` when it has to be fetched. */
    take(): LoadedPage | null
  }
}

/** Events of the router, for an app that measures or logs them. */
export type RouterEvents = Emitter<NavigationEvents>
