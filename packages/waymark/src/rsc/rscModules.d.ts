/// <reference types="vite/client" />
/// <reference types="@vitejs/plugin-rsc/types" />

declare module 'virtual:waymark/routes' {
  import type { RouteTree } from '../routing/routeFile.ts'
  import type { RouteModuleSources } from './page/routeModules.ts'

  export const tree: RouteTree
  export const imports: RouteModuleSources['imports']
  /** Empty in a build. */
  export const foundStyles: RouteModuleSources['foundStyles']
}

declare module 'virtual:waymark/build' {
  import type { ServerBuild } from '../shared/buildManifest.ts'

  const build: ServerBuild
  export default build
}

declare module 'virtual:waymark/integrity' {
  import type { Integrity } from '../shared/buildManifest.ts'

  const integrity: Integrity
  export default integrity
}

declare module 'virtual:waymark/config' {
  import type { Lifetime } from '../cache/cacheLife.ts'
  import type { ActionSettings } from '../shared/settings.ts'
  import type { SecurityConfig } from '../shared/security.ts'
  import type { ThemeConfig } from '../theme/config.ts'

  export const theme: ThemeConfig
  export const statusDeadlineMs: number
  export const settleDeadlineMs: number
  export const cacheLife: Readonly<Record<string, Lifetime>>
  export const security: SecurityConfig
  export const actions: ActionSettings
}

declare module 'virtual:waymark/app-files' {
  import type { Instrumentation } from '../journal/instrumentation.ts'
  import type { Screens } from './errors/appScreens.ts'

  /** What `proxy.ts` exports, if the app has one. */
  export const proxy: Readonly<Record<string, unknown>> | null
  /** What `server.ts` exports, if the app has one. */
  export const server: Readonly<Record<string, unknown>> | null
  /** What `instrumentation.ts` exports, if the app has one. */
  export const instrumentation: Instrumentation | null
  /** What `screens.ts` exports, if the app has one. */
  export const screens: Screens | null
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
