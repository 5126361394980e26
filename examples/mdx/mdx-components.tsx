import type { ComponentProps, ReactNode } from 'react'

/** Components that replace HTML elements in MDX files. */
export function useMDXComponents() {
  return { a: ExternalLink }
}

function ExternalLink({ children, ...props }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...props} rel="noreferrer">
      {children} (external)
    </a>
  )
}
