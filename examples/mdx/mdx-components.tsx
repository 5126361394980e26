import type { ComponentProps, ReactNode } from 'react'

/** What stands in for the elements of MDX files. */
export function useMDXComponents() {
  return { a: ExternalLink }
}

function ExternalLink({ children, ...props }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...props} rel="noreferrer">
      {children} (elsewhere)
    </a>
  )
}
