/// <reference types="vite/client" />
/// <reference types="@vitejs/plugin-rsc/types" />

declare module 'virtual:waymark/routes' {
  import type { ReactNode } from 'react'
  import type { RouteTree } from '../routing/routeNode.ts'
  import type { RouteModule } from './routeModules.ts'

  export const tree: RouteTree
  export const imports: Readonly<
    Record<string, () => Promise<{ module: RouteModule; styles: ReactNode }>>
  >
}

declare module 'virtual:waymark/app-files' {
  /** What `proxy.ts` exports, if the app has one. */
  export const proxy: Readonly<Record<string, unknown>> | null
}
