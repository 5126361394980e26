'use client'

import type { ReactNode } from 'react'
import type { Payload } from '../shared/payload.ts'
import { ForcedTheme } from '../theme/ForcedTheme.tsx'
import { Segment } from './slot.tsx'

/** The whole document of a page, on the server and in the browser alike. */
export function PageRoot({ page }: { page: Payload }): ReactNode {
  return (
    <ForcedTheme theme={page.theme ?? null}>
      {page.head}
      <Segment page={page} segment={page.tree} />
    </ForcedTheme>
  )
}
