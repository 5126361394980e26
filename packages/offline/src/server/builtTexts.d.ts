// `scripts/bundleWorker.mjs` generates this module.

/** Code of the service worker. */
export declare const workerText: string
/** Code with which the service worker sends waiting entries. */
export declare const syncText: string
/** The built-in screen, a document that needs no other files. */
export declare const screenHtml: string
/** `content-security-policy` of the built-in screen. */
export declare const screenPolicy: string
