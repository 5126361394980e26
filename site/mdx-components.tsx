import type { ComponentType } from 'react'
import { CodeBlock } from './app/guide/_ui/codeBlock.tsx'

/** What stands in for elements of MDX, by name. */
export function useMDXComponents(): Record<string, ComponentType<never>> {
  return { CodeBlock }
}
