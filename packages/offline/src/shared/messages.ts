/** Build id of a dev server. */
export const devBuild = 'development'

/** Settings that the server writes into its service worker. */
export type WorkerSettings = {
  readonly build: string
  /** Path at which the app is mounted; empty for the root. */
  readonly basePath: string
  /** Name of the cookie that changes with the user. */
  readonly userCookie: string
  /** URLs of the pages to cache in advance, including the app's own offline page. */
  readonly precache: readonly PageUrls[]
  /** URL of the app's offline page or the built-in screen, shown when a page isn't cached. */
  readonly screen: string
  /** URL of this build's code that sends waiting entries while no page is open. */
  readonly syncPath: string
  readonly maxBytes: number
  /** Share of `maxBytes` that one page's optional files may take up. */
  readonly wantedShare: number
  /** Seconds for which a dev server's pages, which are all private, are cached. 0 in production. */
  readonly devSeconds: number
  /**
   * Milliseconds for which a cached page isn't fetched again. 0 in development, where code may load
   * later.
   */
  readonly freshMs: number
  /**
   * Milliseconds after which a cached response, if there is one, is sent in place of a response
   * that hasn't begun.
   */
  readonly limitMs: number
}

/** URLs of a page, without an origin and percent-encoded. */
export type PageUrls = {
  readonly document: string
  readonly data: string
}

/** A tab's request to cache a page. */
export type KeepRequest = {
  readonly page: PageUrls
  /** Files that the page has loaded from the site: scripts, styles, fonts and images. */
  readonly files: readonly string[]
  /** Seal of the current user, for private pages that may be cached. */
  readonly seal: string
  /** True if the page on the screen may be cached although it is private. */
  readonly mayBePrivate?: boolean
}

/** Messages from a page to the worker. */
export type ToWorker =
  | ({ readonly type: 'keep' } & KeepRequest)
  /** Names the current user. The worker deletes the private pages of all other users. */
  | { readonly type: 'owner'; readonly seal: string }

/** Messages from the worker to a page. */
export type ToPage =
  | {
      readonly type: 'served'
      /** URL of the page's data. */
      readonly url: string
      /**
       * Milliseconds since the epoch at which the response was cached; `null` if it came from the
       * network.
       */
      readonly savedAtMs: number | null
    }
  /** Asks for a `ClientState`. The page posts it to the message's port. */
  | { readonly type: 'ask' }
  /** Reports that the browser is online. The page then sends its waiting entries. */
  | { readonly type: 'send' }

/** A page's state. The worker asks for it when there is no network. */
export type ClientState = {
  readonly build: string | null
  readonly seal: string
  /** URL of the data of the page at the browser's current address. */
  readonly data: string
  /** True if somebody has typed text that a new document would discard. */
  readonly isTyped: boolean
}

/** Path of the built-in screen, shown when a page isn't cached. */
export const screenPath = '/_waymark/offline.html'

/**
 * `Server-Timing` name on a cached document. Its description is the time at which the document was
 * cached.
 */
export const savedTiming = 'waymark-saved'

/** `Server-Timing` name on the app's offline page when it is shown in place of a different page. */
export const screenTiming = 'waymark-screen'
