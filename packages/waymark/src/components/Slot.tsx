'use client'

import {
  Activity,
  type ComponentType,
  type ContextType,
  Fragment,
  type ReactNode,
  Suspense,
  use,
} from 'react'
import { ForcedTheme } from '../theme/ForcedTheme.tsx'
import type { ErrorScreenProps, Payload, PayloadSegment } from '../wire/payload.ts'
import { ErrorBoundary, RootBoundary, SignalBoundary } from './boundaries.tsx'
import { PagesContext, RenderContext } from './routerContext.ts'

export function PageRoot({ page }: { page: Payload }): ReactNode {
  const content = (
    <ForcedTheme theme={page.theme ?? null}>
      {page.head}
      <Segment page={page} segment={page.tree} />
    </ForcedTheme>
  )
  // React calls no error boundaries on the server, where an error decides the page's status. So
  // omit the boundary there.
  return import.meta.env.SSR ? content : <RootBoundary page={page}>{content}</RootBoundary>
}

export type SlotProps = {
  readonly name: string
  readonly error?: ComponentType<ErrorScreenProps>
  readonly loading?: ReactNode
}

/**
 * The place in a layout where a child segment is shown. The slot reads its child from the current
 * page, so the layout itself isn't rendered again. Previous pages' children stay mounted, but
 * hidden.
 */
export function Slot({ name, error, loading }: SlotProps): ReactNode {
  const { page, segment } = use(RenderContext)
  const pages = use(PagesContext)
  const children = new Map<string, { readonly of: Payload; readonly child: PayloadSegment }>()
  for (const of of pages.length > 0 ? pages : [page]) {
    const child = childOf(of, { page, segment, name })
    if (!child) continue
    const instance = instanceOf(of, child.key)
    // If several pages share a child, mount it only once, with the content from the latest page.
    if (!children.has(instance)) children.set(instance, { of, child })
  }
  return [...children].map(([instance, { of, child }], index) => {
    let content: ReactNode = <Segment page={of} segment={child} />
    if (!import.meta.env.SSR) content = <SignalBoundary slot={name}>{content}</SignalBoundary>
    if (loading !== undefined) content = <Suspense fallback={loading}>{content}</Suspense>
    if (error && !import.meta.env.SSR) {
      content = <ErrorBoundary screen={error}>{content}</ErrorBoundary>
    }
    return (
      <Activity key={instance} mode={index === 0 ? 'visible' : 'hidden'}>
        {content}
      </Activity>
    )
  })
}

/** Mounts its children anew whenever the slot shows a different child. */
export function KeyedSlot({ name, children }: { name: string; children?: ReactNode }): ReactNode {
  return <Fragment key={use(RenderContext).segment?.slots?.[name]?.key}>{children}</Fragment>
}

export function Segment({ page, segment }: { page: Payload; segment: PayloadSegment }): ReactNode {
  return <RenderContext value={{ page, segment }}>{page.segments[segment.key]}</RenderContext>
}

/** Returns a page's segment in a slot, if the page shares the slot's layout. */
function childOf(
  of: Payload,
  { page, segment, name }: ContextType<typeof RenderContext> & { readonly name: string },
): PayloadSegment | undefined {
  if (!segment || instanceOf(of, segment.key) !== instanceOf(page, segment.key)) return undefined
  return findSegment(of.tree, segment.key)?.slots?.[name]
}

export function initialInstances({ tree }: Payload): Record<string, string> {
  return Object.fromEntries(instanceKeysOf(tree).map((key) => [key, key]))
}

/**
 * Returns the id of the segment instance that a page shows. The same segment may be mounted several
 * times.
 */
export function instanceOf(
  page: Payload & { readonly instances?: Readonly<Record<string, string>> },
  key: string,
): string {
  return page.instances?.[key] ?? key
}

export function findSegment(tree: PayloadSegment, key: string): PayloadSegment | null {
  if (tree.key === key) return tree
  for (const child of Object.values(tree.slots ?? {})) {
    const segment = findSegment(child, key)
    if (segment) return segment
  }
  return null
}

export function instanceKeysOf(tree: PayloadSegment): string[] {
  return [tree.key, ...Object.values(tree.slots ?? {}).flatMap(instanceKeysOf)]
}
