import { createContext, type ReactNode } from 'react'
import type { PayloadSegment, RouteState } from '../shared/payload.ts'

/** The payload that is mounted: its nodes by segment key, and the route it shows. */
export type MountedPayload = {
  readonly nodes: Readonly<Record<string, ReactNode>>
  readonly route: RouteState
}

/** The payload that is mounted. */
export const PayloadContext = createContext<MountedPayload>({
  nodes: {},
  route: { pathname: '/', search: '', params: {} },
})

/** The segment that what is rendered here belongs to. */
export const SegmentContext = createContext<PayloadSegment | null>(null)
