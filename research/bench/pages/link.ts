import type { ElementType, ReactNode } from 'react'

/** The component for links: a plain one, or the framework's. */
export type LinkComponent = ElementType<{ href: string; className?: string; children: ReactNode }>
