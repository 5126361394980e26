'use client'

import type { ReactNode } from 'react'
import type { Payload } from '../shared/payload.ts'
import { ForcedTheme } from '../theme/ForcedTheme.tsx'
import { PayloadContext } from './contexts.ts'
import { Segment } from './slot.tsx'

/** The whole document of a payload, on the server and in the browser alike. */
export function PayloadRoot({ payload }: { payload: Payload }): ReactNode {
  const { segments, route, head, theme = null, tree } = payload
  return (
    <PayloadContext value={{ nodes: segments, route }}>
      {head}
      <ForcedTheme theme={theme}>
        <Segment segment={tree} />
      </ForcedTheme>
    </PayloadContext>
  )
}
