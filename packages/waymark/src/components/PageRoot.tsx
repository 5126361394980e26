'use client'

import type { ReactNode } from 'react'
import type { Payload } from '../shared/payload.ts'
import { ForcedTheme } from '../theme/ForcedTheme.tsx'
import { RootBoundary } from './boundaries.tsx'
import { Segment } from './Slot.tsx'

/** The whole document of a page, on the server and in the browser alike. */
export function PageRoot({ page }: { page: Payload }): ReactNode {
  const content = (
    <ForcedTheme theme={page.theme ?? null}>
      {page.head}
      <Segment page={page} segment={page.tree} />
    </ForcedTheme>
  )
  // On the server, React calls no boundaries: what fails decides the status.
  return import.meta.env.SSR ? content : <RootBoundary page={page}>{content}</RootBoundary>
}
