import type { ToPage, WorkerSettings } from '../shared/messages.ts'

/**
 * The parts of a service worker's global scope that we use. TypeScript can't load its types for workers
 * and for the DOM together.
 */
type WorkerScope = {
  readonly registration: {
    /** A newer worker that is being installed. */
    readonly installing: object | null
    readonly waiting: object | null
    readonly navigationPreload?: { enable(): Promise<void> }
    /** Present if the browser has Background Sync. */
    readonly sync?: object
    /** Wakes the worker when a cookie changes. */
    readonly cookies?: { subscribe(cookies: readonly { readonly name: string }[]): Promise<void> }
  }
  /** This service worker; missing in old browsers. */
  readonly serviceWorker?: { readonly state: string }
  readonly clients: {
    claim(): Promise<void>
    get(id: string): Promise<WorkerClient | undefined>
    matchAll(options?: {
      readonly type: 'window'
      readonly includeUncontrolled: true
    }): Promise<readonly WorkerClient[]>
  }
  readonly settings: WorkerSettings
  readonly navigator: { readonly connection?: { readonly saveData?: boolean } }
  /** Missing in Firefox before 140 and Safari before 18.4. */
  readonly cookieStore?: { get(name: string): Promise<{ readonly value: string } | null> }
  /**
   * Sends the waiting entries. Defined once the code for sending has loaded. Rejects if it must be
   * called again.
   */
  sendWaiting(): Promise<void>
  importScripts(url: string): void
  skipWaiting(): Promise<void>
  addEventListener(
    type: 'install' | 'activate' | 'cookiechange' | 'sync',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: WorkerMessage) => void): void
}

export type WorkerClient = { postMessage(message: ToPage, ports?: readonly MessagePort[]): void }

export type WorkerMessage = {
  readonly data: unknown
  waitUntil(work: Promise<unknown>): void
}

export type FetchEvent = {
  readonly request: Request
  readonly clientId: string
  /** Resolves to `undefined` if there is no preload. */
  readonly preloadResponse?: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
  waitUntil(work: Promise<unknown>): void
}

export const scope = globalThis as unknown as WorkerScope

/** @param path path and query, percent-encoded */
export function hrefOf(path: string): string {
  return location.origin + path
}
