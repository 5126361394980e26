declare module 'virtual:texts' {
  type Page = import('./mdx/markdown.mjs').MarkdownPage
  /** Pages of the guide, by folder name. */
  export const guide: Readonly<Record<string, Page>>
  /** Pages of the guide that are written in German, by folder name. */
  export const german: Readonly<Record<string, Page>>
  /** Pages of the reference, by entry name. */
  export const reference: Readonly<Record<string, Page>>
}

declare module 'virtual:*.mdx' {
  import type { ReactNode } from 'react'
  import type { Metadata } from 'waymark'
  export const metadata: Metadata
  export default function Content(): ReactNode
}
