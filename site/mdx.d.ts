declare module '*.mdx' {
  import type { ComponentType } from 'react'

  /** The page as a component; `components` replaces elements by name. */
  const Content: ComponentType<{ components?: Record<string, unknown> }>
  export default Content
}
