import type { ElementType, ReactNode } from 'react'

/** What a page renders as its links: plain ones, or those of a framework. */
export type LinkComponent = ElementType<{ href: string; className?: string; children: ReactNode }>
