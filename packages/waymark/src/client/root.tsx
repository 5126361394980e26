'use client'

import { type ReactNode, use } from 'react'
import type { Payload } from '../shared/payload.ts'
import { ForcedTheme } from '../theme/ForcedTheme.tsx'
import { PayloadContext } from './contexts.ts'
import { Segment } from './slot.tsx'

/** The whole document of a payload, on the server and in the browser alike. */
export function PayloadRoot({ payload }: { payload: Payload }): ReactNode {
  const outcome = payload.outcome instanceof Promise ? use(payload.outcome) : payload.outcome
  const nodes = outcome.fallbacks ? { ...payload.segments, ...outcome.fallbacks } : payload.segments
  return (
    <PayloadContext value={{ nodes, route: outcome.route }}>
      {outcome.head}
      <ForcedTheme theme={outcome.theme ?? null}>
        <Segment segment={outcome.tree} />
      </ForcedTheme>
    </PayloadContext>
  )
}
