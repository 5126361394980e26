/// <reference types="vite/client" />
/// <reference types="@vitejs/plugin-rsc/types" />

declare module 'virtual:waymark/routes' {
  export const tree: import('../routing/routeFile.ts').RouteTree
  export const imports: import('./page/routeModules.ts').RouteModuleSources['imports']
  /** Empty in a build. */
  export const foundStyles: import('./page/routeModules.ts').RouteModuleSources['foundStyles']
}

declare module 'virtual:waymark/build' {
  const build: import('../shared/buildManifest.ts').ServerBuild
  export default build
}

declare module 'virtual:waymark/client-assets' {
  const assets: import('../shared/buildManifest.ts').ClientAssets
  export default assets
}

declare module 'virtual:waymark/config' {
  export const theme: import('../theme/config.ts').ThemeConfig
  export const statusDeadlineMs: number
  export const settleDeadlineMs: number
  export const cacheLife: Readonly<Record<string, import('../cache/cacheLife.ts').Lifetime>>
  export const security: import('../shared/settings.ts').SecurityConfig
  export const actions: import('../shared/settings.ts').ActionSettings
  /** Actions whose arguments the journal keeps. */
  /** `null` where entries of the journal hold no requests. */
  export const replay: import('../journal/reportError.ts').ReplayLists | null
  export const allowedHosts: readonly string[] | null
}

declare module 'virtual:waymark/replay' {
  /** Of `@waymark/testing`, in builds of apps that set `journal.replay`. */
  export const createKeepRequest: import('../journal/reportError.ts').CreateKeepRequest | null
}

declare module 'virtual:waymark/live' {
  /** Of `@waymark/live`, in apps that set `live`. */
  export const createLive:
    | ((app: {
        readonly cache: import('../cache/cache.ts').Cache
        readonly memory: import('../cache/memoryCacheDriver.ts').MemoryDriver
        readonly sealer: () => import('./request/draftMode.ts').Sealer
        readonly isCredential: import('./action/credentials.ts').IsCredential
      }) => {
        readonly endpoint: import('../shared/endpoint.ts').Endpoint
        readonly follow: import('./page/pageRequest.ts').FollowPage
        attach(driver: import('../cache/cacheDriver.ts').CacheDriver): void
      })
    | null
}

declare module 'virtual:waymark/offline' {
  /** Of `@waymark/offline`, in apps that set `offline`. */
  export const createOffline: import('../shared/endpoint.ts').CreateOffline | null
  export const offlineOptions: Parameters<import('../shared/endpoint.ts').CreateOffline>[0]
}

declare module 'virtual:waymark/app-files' {
  /** What `proxy.ts` exports, if the app has one. */
  export const proxy: Readonly<Record<string, unknown>> | null
  /** What `server.ts` exports, if the app has one. */
  export const server: Readonly<Record<string, unknown>> | null
  /** What `instrumentation.ts` exports, if the app has one. */
  export const instrumentation: import('../journal/instrumentation.ts').Instrumentation | null
  /** What `screens.ts` exports, if the app has one. */
  export const screens: import('./errors/screenResponse.ts').Screens | null
}

/** React's own decoders, which take the list of what may be named: plugin-rsc's take any name. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/server.node' {
  import type { ReactFormState } from 'react-dom/client'

  /** By a server function's id: where its module is. */
  export type ServerManifest = object

  export function decodeReply<T>(
    body: string | FormData,
    manifest: ServerManifest,
    options?: { readonly arraySizeLimit?: number },
  ): PromiseLike<T>

  export function decodeFormState(
    result: unknown,
    body: FormData,
    manifest: ServerManifest,
  ): Promise<ReactFormState | null>
}
