declare module 'virtual:texts' {
  type Page = import('./mdx/markdown.mjs').MarkdownPage
  /** Pages of the guide, by the name of their folder. */
  export const guide: Readonly<Record<string, Page>>
  /** What the entries of the package export, by the name of the entry. */
  export const reference: Readonly<Record<string, Page>>
}

declare module 'virtual:*.mdx' {
  import type { ReactNode } from 'react'
  import type { Metadata } from 'waymark'
  export const metadata: Metadata
  export default function Content(): ReactNode
}
