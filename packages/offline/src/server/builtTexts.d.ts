// `scripts/bundleWorker.mjs` writes these.

/** The service worker. */
export declare const workerText: string
/** What the service worker sends with. */
export declare const syncText: string
/** The built-in screen: a document without files. */
export declare const screenHtml: string
/** What its `content-security-policy` is. */
export declare const screenPolicy: string
