'use client'

import { Fragment, type ReactNode, use } from 'react'
import type { PayloadSegment } from '../shared/payload.ts'
import { PayloadContext, SegmentContext } from './contexts.ts'

/** Names the slot of a layout: `children`, or a parallel route's name without its at sign. */
export type SlotProps = { readonly name: string }

/**
 * The place in a layout where a child segment is shown. It looks its child up in the payload
 * that is mounted now, so the layout around it needs no rendering when the child changes.
 */
export function Slot({ name }: SlotProps): ReactNode {
  const child = use(SegmentContext)?.slots?.[name]
  return child ? <Segment segment={child} key={child.key} /> : null
}

/** Mounts its children anew whenever the child in the slot is another one. */
export function KeyedSlot({ name, children }: SlotProps & { children?: ReactNode }): ReactNode {
  return <Fragment key={use(SegmentContext)?.slots?.[name]?.key}>{children}</Fragment>
}

/** Shows one segment of the mounted payload. */
export function Segment({ segment }: { segment: PayloadSegment }): ReactNode {
  const { nodes } = use(PayloadContext)
  return <SegmentContext value={segment}>{nodes[segment.key]}</SegmentContext>
}
