/** The service worker as one text: `scripts/bundleWorker.mjs` writes it. */
export declare const workerText: string
