/** What a server tells its service worker. */
export type WorkerSettings = {
  readonly build: string
  /** The path that the app is mounted at; empty for the root. */
  readonly basePath: string
  /** Paths of pages that are kept before they are seen. */
  readonly ahead: readonly string[]
  /** Path of the page that is shown in place of one that is not kept; `null` for the built-in one. */
  readonly screen: string | null
  readonly maxBytes: number
  /** How long a response may take to begin where a kept one is there. */
  readonly limitMs: number
}

/** A page, as its URLs: without an origin, percent-encoded. */
export type PageUrls = {
  readonly document: string
  readonly data: string
}

/** What a page tells the worker. */
export type ToWorker =
  | {
      readonly type: 'keep'
      readonly page: PageUrls
      /** What the page has loaded from the site: scripts, styles, fonts, pictures. */
      readonly files: readonly string[]
      /** Seconds that a private page may be kept; `null`: only public ones are. */
      readonly privateForSeconds: number | null
    }
  /** Somebody else is here: what is private goes. */
  | { readonly type: 'forget-private' }

/** What the worker tells a page. */
export type ToPage = {
  readonly type: 'served'
  /** Of the page's data. */
  readonly url: string
  /** When the response was kept, milliseconds since the epoch; `null` for one of the network. */
  readonly savedAtMs: number | null
}

/** On a response that was kept: when, milliseconds since the epoch. */
export const savedAtHeader = 'waymark-saved-at'

/** Name in `Server-Timing` of a document that was kept: its description is the time, as above. */
export const savedTiming = 'waymark-saved'
