/// <reference types="vite/client" />

// Types for imports that aren't TypeScript, for `types` in an app's tsconfig.json. Vite's own types
// cover styles and assets.

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
