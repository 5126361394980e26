/// <reference types="vite/client" />
/// <reference types="@vitejs/plugin-rsc/types" />

declare module 'virtual:waymark/routes' {
  export const tree: import('../routing/routeFile.ts').RouteTree
  export const imports: import('./page/routeModules.ts').RouteModuleSources['imports']
  /** Empty in builds. */
  export const devStyles: import('./page/routeModules.ts').RouteModuleSources['devStyles']
}

declare module 'virtual:waymark/build' {
  const build: import('../builds/buildManifest.ts').ServerBuild
  export default build
}

declare module 'virtual:waymark/client-assets' {
  const assets: import('../builds/buildManifest.ts').ClientAssets
  export default assets
}

declare module 'virtual:waymark/variants' {
  /** The app's or a package's function. `null` if the app has no variants. */
  export const chooseVariant: import('./page/pageVariants.ts').ChooseVariant | null
}

declare module 'virtual:waymark/config' {
  export const theme: import('../theme/config.ts').ThemeConfig
  export const statusDeadlineMs: number
  export const settleDeadlineMs: number
  export const cacheLife: Readonly<Record<string, import('../cache/cacheLife.ts').Lifetime>>
  export const security: import('../shared/settings.ts').SecurityConfig
  export const actions: import('../shared/settings.ts').ActionSettings
  export const allowedHosts: readonly string[] | null
  export const navigationTimeoutMs: number
}

declare module 'virtual:waymark/packages' {
  /** Server parts of the packages in the app's configuration. */
  export const packages: readonly import('./packageParts.ts').JoinedPackage[]
  /** Texts from the app's packages that visitors see. */
  export const packageTexts: import('../screens/packageTexts.ts').TextsByPackage
}

declare module 'virtual:waymark/app-files' {
  /** Exports of `proxy.ts`, if the app has one. */
  export const proxy: Readonly<Record<string, unknown>> | null
  /** Exports of `server.ts`, if the app has one. */
  export const server: Readonly<Record<string, unknown>> | null
  /** Exports of `instrumentation.ts`, if the app has one. */
  export const instrumentation: import('../journal/instrumentation.ts').Instrumentation | null
  /** Exports of `screens.ts`, if the app has one. */
  export const screens: import('./errors/screenResponse.ts').Screens | null
}

/**
 * React's own decoders, which accept a list of allowed references. plugin-rsc's decoders allow all
 * of them.
 */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/server.node' {
  import type { ReactFormState } from 'react-dom/client'

  /** Maps the id of a server function to the location of its module. */
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
