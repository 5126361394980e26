import {
  type ComponentType,
  cloneElement,
  createElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'
import { KeyedSlot, Slot } from '../../components/Slot.tsx'
import { clientReferenceId, isClientReference } from '../../react/clientReference.ts'
import type { MatchedFolder, MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import { Screen } from '../../screens/Screen.tsx'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { frameworkError } from '../../shared/errors.ts'
import { isThenable } from '../../shared/promises.ts'
import type { ErrorScreenProps, PayloadSegment } from '../../wire/payload.ts'
import { observed, type ServerObserver } from '../request/serverObserver.ts'
import { createGuard, type Guard, guarded, runSilently } from './guard.ts'
import type { PageStatus } from './pageStatus.ts'
import { completeElement, type LoadedRouteFile } from './routeModules.ts'
import { rootSlotOf, type SlotPath } from './slotPath.ts'

/**
 * Keys of the client components that every page contains. They have no effect before a navigation,
 * so pages work without loading them.
 */
export const slotFiles: readonly string[] = [Slot, KeyedSlot].flatMap(
  (component) => clientReferenceId(component)?.split('#')[0] ?? [],
)

type SegmentSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly pageStatus: PageStatus
  readonly observer: ServerObserver | null
  readonly searchParamsOf: (file: LoadedRouteFile) => Promise<unknown>
  /**
   * Keys of segments that the browser has mounted. Their layouts run as guards, but their output
   * isn't sent again.
   */
  readonly mounted: ReadonlySet<string>
  readonly locale: () => ScreenLocale
  /**
   * Screens that replace slots, or everything from the root layout on. If several screens have the
   * same place, the last one counts.
   */
  readonly fallbacks: readonly FallbackScreen[]
  /** The fallback that decides the page's status. All others are in parallel slots. */
  readonly fallback: FallbackScreen | null
}

/** A screen in place of a part that failed. */
export type FallbackScreen = {
  /** The slot that the screen replaces; `null` above the root layout. */
  readonly place: SlotPath | null
  readonly key: string
  readonly node: ReactNode
}

export type RenderedSegments = ReturnType<typeof renderSegments>

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/**
 * Creates a matched route's elements, one for each segment.
 * @returns `guards` contains the layouts of mounted segments, which run without output. `guardOf`
 * returns a segment's guard, `null` if no layout can refuse, and `undefined` if the segment isn't
 * rendered. `hasScreen` is true if a slot shows a built-in screen
 */
export function renderSegments(root: MatchedSegment, source: SegmentSource) {
  const segments: Record<string, ReactNode> = {}
  const guards: Record<string, ReactNode> = {}
  const { fallback } = source
  const guardOfSegment = new Map<MatchedSegment, Guard | null>()
  let pagePlace = null as SlotPath | null
  let screenGuard = null as Guard | null
  let hasScreen = false

  function visit(segment: MatchedSegment, outer: SlotPath | null): PayloadSegment {
    return segment.kind === 'folder' ? visitFolder(segment, outer) : visitLeaf(segment, outer)
  }

  function visitLeaf(segment: MatchedLeaf, outer: SlotPath | null): PayloadSegment {
    // Don't render a page in the background: the browser already shows it, and this request may not
    // be allowed to see it.
    if (segment.background) return { key: segment.key }
    if (segment.kind === 'page') pagePlace = outer
    guardOfSegment.set(segment, outer?.guard ?? null)
    hasScreen ||= isScreen(segment)
    segments[segment.key] = pageNode(segment, outer, source)
    return { key: segment.key }
  }

  function visitFolder(segment: MatchedFolder, outer: SlotPath | null): PayloadSegment {
    // A folder that adds nothing around its page needs no segment.
    const hasSegment = !isBare(segment)
    const outerGuard = outer?.guard ?? null
    const layoutGuard = isGuard(segment, source) ? createGuard(outerGuard) : null
    const guard = layoutGuard ?? outerGuard
    guardOfSegment.set(segment, guard)
    const folder = { segment, outer, layoutGuard }
    if (hasSegment && (isInBackground(segment) || source.mounted.has(segment.key))) {
      guards[segment.key] = guardNode(folder, source)
    } else if (hasSegment) segments[segment.key] = folderNode(folder, source)
    const slots: Record<string, PayloadSegment> = {}
    for (const name in segment.slots) {
      const isInSlot = ({ place }: FallbackScreen) =>
        place?.segment === segment && place.slot === name
      const slotFallback = source.fallbacks.findLast(isInSlot)
      slots[name] = slotFallback
        ? screen(slotFallback, guard)
        : visit(segment.slots[name] as MatchedSegment, { segment, slot: name, outer, guard })
    }
    return hasSegment ? { key: segment.key, slots } : (slots.children as PayloadSegment)
  }

  function screen(slotFallback: FallbackScreen, guard: Guard | null): PayloadSegment {
    if (slotFallback === fallback) screenGuard = guard
    const slot = slotFallback.place?.slot ?? 'children'
    const key = slot === 'children' ? slotFallback.key : `${slotFallback.key}@${slot}`
    segments[key] = guarded(guard, slotFallback.node)
    return { key }
  }

  const isAbove = fallback !== null && fallback.place === null
  const tree = isAbove ? screen(fallback, null) : visit(root, null)
  const guardOf = (segment: MatchedSegment) => guardOfSegment.get(segment)
  return { segments, guards, tree, pagePlace, guardOf, screenGuard, hasScreen }
}

/** True if a folder has a layout that may refuse a request. A client component can't refuse. */
function isGuard({ node }: MatchedFolder, { fileOf }: SegmentSource): boolean {
  const { layout } = node.files
  return layout !== undefined && !isClientReference(fileOf(layout).module.default)
}

/** True if a segment only belongs to the page in the background of an interception. */
function isInBackground(segment: MatchedSegment): boolean {
  if (!segment.background || segment.kind !== 'folder') return segment.background
  return Object.values(segment.slots).every(isInBackground)
}

/** True if a folder adds nothing around its page, so that payloads leave the folder out. */
export function isBare({ node, slots }: MatchedFolder): boolean {
  for (const name in slots) if (name !== 'children') return false
  for (const role in node.files) if (role !== 'page' && role !== 'default') return false
  return true
}

type RenderedFolder = {
  readonly segment: MatchedFolder
  readonly outer: SlotPath | null
  /** Guard of the folder's own layout; `null` if the layout can't refuse. */
  readonly layoutGuard: Guard | null
}

function pageNode(segment: MatchedLeaf, outer: SlotPath | null, source: SegmentSource): ReactNode {
  if (isScreen(segment)) {
    const model = screenModel(screenOfStatus(404), source.locale())
    return createElement(Screen, { model, as: 'div' })
  }
  if (segment.page === null) return null
  const searchParams = source.searchParamsOf(source.fileOf(segment.page))
  const props = { params: paramsOf(segment), searchParams }
  return partNode(source, { kind: 'page', file: segment.page }, { outer, layoutGuard: null, props })
}

/** True for a slot without a page, which shows a built-in screen. */
function isScreen({ page, kind }: MatchedLeaf): boolean {
  return page === null && kind !== 'default'
}

/**
 * Creates the `params` promise. In development, reading a param from the promise itself throws an
 * error that explains the mistake.
 */
function paramsOf({ params }: Pick<MatchedSegment, 'params'>): Promise<MatchedSegment['params']> {
  const promise = Promise.resolve(params)
  if (!import.meta.env.DEV) return promise
  const get = (name: string) => () => {
    throw frameworkError('PARAMS_NOT_AWAITED', { name })
  }
  // React and promises use these names themselves.
  const names = Object.keys(params).filter(
    (name) => !/^(?:status|value|reason)$/.test(name) && !(name in promise),
  )
  for (const name of names) Object.defineProperty(promise, name, { get: get(name) })
  return promise
}

// Creates the node that runs a mounted segment's layout as a guard. A browser can claim to have any
// segment mounted, so a layout that can refuse always runs.
function guardNode(
  { segment, outer, layoutGuard }: RenderedFolder,
  source: SegmentSource,
): ReactNode {
  const { layout } = segment.node.files
  if (!layout || !isGuard(segment, source)) return null
  const component = source.fileOf(layout).module.default as Component
  const props = { params: paramsOf(segment), children: null }
  const render = () =>
    observed(source.observer, { kind: 'guard', file: layout }, () =>
      runSilently(() => component(props)),
    )
  return source.pageStatus.part({ place: outer, render, behind: outer?.guard, guard: layoutGuard })
}

function folderNode(
  { segment, outer, layoutGuard }: RenderedFolder,
  source: SegmentSource,
): ReactNode {
  const slots: Record<string, ReactElement> = {}
  for (const name in segment.slots) {
    slots[name] =
      name === 'children' ? childrenSlot(segment, source) : createElement(Slot, { name })
  }
  const { layout, template, loading } = segment.node.files
  if (!layout) {
    return template || loading ? guarded(outer?.guard ?? null, slots.children) : slots.children
  }
  const props = { params: paramsOf(segment), ...slots }
  return partNode(source, { kind: 'layout', file: layout }, { outer, layoutGuard, props })
}

function childrenSlot(segment: MatchedFolder, source: SegmentSource): ReactElement {
  const { template, error, loading } = segment.node.files
  const slot = createElement(Slot, {
    name: 'children',
    ...(error ? { error: errorScreenOf(source.fileOf(error)) } : {}),
    ...(loading ? { loading: fileElement(source.fileOf(loading), {}) } : {}),
  })
  const withStyles = error ? completeElement(slot, source.fileOf(error)) : slot
  if (!template) return withStyles
  const templated = fileElement(source.fileOf(template), { children: withStyles })
  return createElement(KeyedSlot, { name: 'children' }, templated)
}

function errorScreenOf({ module }: LoadedRouteFile): ComponentType<ErrorScreenProps> {
  return module.default as unknown as ComponentType<ErrorScreenProps>
}

function fileElement(file: LoadedRouteFile, props: Record<string, unknown>): ReactElement {
  const component = file.module.default as ComponentType<Record<string, unknown>>
  return completeElement(createElement(component, props), file)
}

function partNode(
  { pageStatus, fileOf, observer }: SegmentSource,
  step: { readonly kind: 'layout' | 'page'; readonly file: string },
  {
    outer,
    layoutGuard,
    props,
  }: Pick<RenderedFolder, 'outer' | 'layoutGuard'> & { props: Record<string, unknown> },
): ReactNode {
  const file = fileOf(step.file)
  const component = file.module.default as Component
  const renderFile = isClientReference(component)
    ? () => createElement(component as ComponentType<object>, props)
    : () => observed(observer, step, () => component(props))
  const isRoot = import.meta.env.DEV && rootSlotOf(outer) === null
  const render = isRoot ? () => withQuietHtml(renderFile()) : renderFile
  const part = pageStatus.part({ place: outer, render, behind: outer?.guard, guard: layoutGuard })
  return completeElement(part, file)
}

/** Suppresses hydration warnings for `<html>`, whose attributes the theme script changes. */
function withQuietHtml(rendered: ReactNode | Promise<ReactNode>): ReactNode | Promise<ReactNode> {
  if (isThenable(rendered)) return Promise.resolve(rendered).then(withQuietHtml)
  return isValidElement<object>(rendered) && rendered.type === 'html'
    ? cloneElement(rendered, { suppressHydrationWarning: true } as object)
    : rendered
}

/** Returns the keys of segments inside the Suspense boundary of any `loading` file. */
export function loadingKeys(root: MatchedSegment): ReadonlySet<string> {
  const keys = new Set<string>()
  const visit = (segment: MatchedSegment, isInside: boolean) => {
    if (isInside) keys.add(segment.key)
    if (segment.kind !== 'folder') return
    const isLoading = segment.node.files.loading !== undefined
    for (const [name, child] of Object.entries(segment.slots)) {
      visit(child, isInside || (isLoading && name === 'children'))
    }
  }
  visit(root, false)
  return keys
}
