import type { ComponentType } from 'react'
import { ContentLink } from './app/_ui/contentLink.tsx'
import { CodeBlock } from './app/guide/_ui/codeBlock.tsx'

/** Returns the components that replace MDX elements. */
export function useMDXComponents(): Record<string, ComponentType<never>> {
  return { a: ContentLink, CodeBlock }
}
