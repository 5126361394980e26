declare module 'virtual:vite-rsc/client-references' {
  const references: Readonly<Record<string, () => Promise<unknown>>>
  export default references
}

declare module 'virtual:waymark/startup' {
  /** Of the navigation settings. */
  export const timeoutMs: number
  /** Of the app's `clientSetup`. */
  export const onNavigationStart:
    | ((event: import('../components/navigationStore.ts').NavigationEvents['start']) => void)
    | null
}

declare module 'virtual:waymark/arrivals' {
  /** Of `@waymark/arrivals`, in builds of apps that set `arrivals`. */
  export const tracer: import('../shared/trace.ts').Tracer | null
  /** Likewise, on the server. */
  export const createEndpoint: import('../shared/endpoint.ts').CreateEndpoint | null
}

declare module 'virtual:waymark/live' {
  /** Of `@waymark/live`, in apps that set `live`. */
  export const live: import('./runtime.ts').LiveClient | null
}

declare module 'virtual:waymark/offline' {
  /** Of `@waymark/offline`, in apps that set `offline`. */
  export const offline: import('./runtime.ts').OfflineClient | null
}

declare module 'virtual:waymark/navigation' {
  export const navigation: import('../shared/settings.ts').NavigationSettings
  /** False where the build has found no server action. */
  export const mayHaveActions: boolean
}

declare module 'virtual:waymark/prefetch' {
  export const prefetch: import('../shared/settings.ts').PrefetchLimits
}

/** React's client runtime as browsers get it, from plugin-rsc's copy, which has no types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser' {
  export type CallServer = (id: string, args: unknown[]) => Promise<unknown>

  export function createFromReadableStream<T>(
    stream: ReadableStream<Uint8Array>,
    options: { readonly callServer: CallServer },
  ): Promise<T>

  export function encodeReply(value: unknown): Promise<string | FormData>

  export function createServerReference(id: string, callServer: CallServer): CallServer
}
