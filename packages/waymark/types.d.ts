/// <reference types="vite/client" />

// What an app may import besides TypeScript, for the `types` of its tsconfig.json: styles and
// assets are known to Vite, the rest is here.

declare module '*.mdx' {
  import type { ComponentType } from 'react'

  /** The page as a component; `components` replaces elements by name. */
  const Content: ComponentType<{ components?: Record<string, unknown> }>
  export default Content
}

/** Imported for its effect: the build fails when the module would reach a browser. */
declare module 'server-only' {}

/** Imported for its effect: the build fails when the module would run in a server component. */
declare module 'client-only' {}
