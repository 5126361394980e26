/** Id of what a dev server serves. */
export const devBuild = 'development'

/** What a server tells its service worker. */
export type WorkerSettings = {
  readonly build: string
  /** The path that the app is mounted at; empty for the root. */
  readonly basePath: string
  /** Name of the cookie that changes with the user. */
  readonly userCookie: string
  /** Paths of pages that are kept before they are seen, the app's own offline page included. */
  readonly ahead: readonly PageUrls[]
  /** The page, or the built-in screen, that is shown in place of one that is not kept. */
  readonly screen: string
  /** Of the code of this build that sends what waits while no page is open. */
  readonly syncPath: string
  readonly maxBytes: number
  /** What a page may take up of that, beyond the code that its document names. */
  readonly wantedShare: number
  /** So long a dev server's pages are kept, which are all private; 0 in production. */
  readonly devSeconds: number
  /** A page that was kept so shortly ago is not fetched again; 0 where code of it may come later. */
  readonly freshMs: number
  /** How long a response may take to begin where a kept one is there. */
  readonly limitMs: number
}

/** A page, as its URLs: without an origin, percent-encoded. */
export type PageUrls = {
  readonly document: string
  readonly data: string
}

/** A page that a tab wants to be kept. */
export type KeepRequest = {
  readonly page: PageUrls
  /** What the page has loaded from the site: scripts, styles, fonts, pictures. */
  readonly files: readonly string[]
  /** Of who is here; where private pages are kept, if the page says that it may be. */
  readonly seal: string
  /** True if the page on the screen may be stored although it is private. */
  readonly mayBePrivate?: boolean
}

/** What a page tells the worker. */
export type ToWorker =
  | ({ readonly type: 'keep' } & KeepRequest)
  /** Who is here: private pages of others are not kept any more. */
  | { readonly type: 'owner'; readonly seal: string }

/** What the worker tells a page. */
export type ToPage =
  | {
      readonly type: 'served'
      /** Of the page's data. */
      readonly url: string
      /** When the response was kept, milliseconds since the epoch; `null` for one of the network. */
      readonly savedAtMs: number | null
    }
  /** It answers with a `ClientState` by the port that comes with the message. */
  | { readonly type: 'ask' }
  /** There is a network: it sends what waits. */
  | { readonly type: 'send' }

/** What the worker asks a page for, where there is no network. */
export type ClientState = {
  readonly build: string | null
  readonly seal: string
  /** URL of the data of the page at the browser's address. */
  readonly data: string
  /** True if somebody has typed text that a new document would lose. */
  readonly isTyped: boolean
}

/** The built-in screen in place of a page that is not kept. */
export const screenPath = '/_waymark/offline.html'

/** Name in `Server-Timing` of a document that was kept: its description is the time, as above. */
export const savedTiming = 'waymark-saved'

/** Name in `Server-Timing` of the app's own offline page, in place of another one. */
export const screenTiming = 'waymark-screen'
