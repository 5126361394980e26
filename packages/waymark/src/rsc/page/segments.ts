import {
  type ComponentType,
  cloneElement,
  createElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'
import { KeyedSlot, Slot } from '../../components/Slot.tsx'
import type { MatchedFolder, MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import { Screen } from '../../screens/Screen.tsx'
import type { ScreenLocale } from '../../screens/screenLocale.ts'
import { clientReferenceId, isClientReference } from '../../shared/clientReference.ts'
import type { ErrorScreenProps, PayloadSegment } from '../../shared/payload.ts'
import { isThenable } from '../../shared/promises.ts'
import { behind, createOutputBarrier, type OutputBarrier } from './outputBarrier.ts'
import { type LoadedRouteFile, styled } from './routeModules.ts'
import type { StatusGate } from './statusGate.ts'

/**
 * Client components of the framework that stand in most pages and do nothing there until a
 * navigation: a page with no others is read and used without React. As `file#name`.
 */
export const inertClientComponents: ReadonlySet<string> = new Set(
  [Slot, KeyedSlot].flatMap((component) => clientReferenceId(component) ?? []),
)

/**
 * A slot of a mounted segment, with the slots around it: where a fallback can take the place
 * of what failed inside.
 */
export type SlotPath = {
  readonly segment: MatchedFolder
  readonly slot: string
  readonly outer: SlotPath | null
  /** Through the layouts around the slot. */
  readonly barrier: OutputBarrier | null
}

/** The slot of the root layout that a place is in; `null` above all layouts. */
export function rootSlotOf(place: SlotPath | null): SlotPath | null {
  let found: SlotPath | null = null
  for (let at = place; at; at = at.outer) if (at.segment.node.files.layout) found = at
  return found
}

/** What the segments of a route are rendered from. */
type SegmentSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly gate: StatusGate<SlotPath | null>
  /** The query as the page of a file gets it. */
  readonly searchParamsOf: (file: LoadedRouteFile) => Promise<unknown>
  /** Keys of segments that the browser has mounted: they run, and are not sent again. */
  readonly mounted: ReadonlySet<string>
  /** What screens of the framework are written in. */
  readonly locale: () => ScreenLocale
  /** Shown in slots, or above the root layout; where two have one place, the last. */
  readonly fallbacks: readonly ShownFallback[]
  /** The one of them that the page has come to. */
  readonly fallback: ShownFallback | null
}

type ShownFallback = {
  readonly place: SlotPath | null
  readonly key: string
  readonly node: ReactNode
}

/** The parts of a payload that come from the route's own files. */
export type RenderedSegments = ReturnType<typeof renderSegments>

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/**
 * Creates the elements of a matched route, one for each segment.
 * @returns `guards`: deciders of mounted segments, which run and have no output; `pagePlace`: where
 *   the page stands, from which its fallback is looked for outwards; `barriers`: those of segments,
 *   their own layouts included, `null` where none can refuse; `screenBarrier`: that of the layouts
 *   around the fallback
 */
export function renderSegments(root: MatchedSegment, source: SegmentSource) {
  const segments: Record<string, ReactNode> = {}
  const guards: Record<string, ReactNode> = {}
  const { fallback } = source
  const barriers = new Map<MatchedSegment, OutputBarrier | null>()
  let pagePlace = null as SlotPath | null
  let screenBarrier = null as OutputBarrier | null

  function visit(segment: MatchedSegment, outer: SlotPath | null): PayloadSegment {
    return segment.kind === 'folder' ? folder(segment, outer) : leaf(segment, outer)
  }

  function leaf(segment: MatchedLeaf, outer: SlotPath | null): PayloadSegment {
    // Its page may be one that this request may not see; the browser shows it already.
    if (segment.background) return { key: segment.key }
    if (segment.kind === 'page') pagePlace = outer
    barriers.set(segment, outer?.barrier ?? null)
    segments[segment.key] = pageNode(segment, outer, source)
    return { key: segment.key }
  }

  function folder(segment: MatchedFolder, outer: SlotPath | null): PayloadSegment {
    // A folder that adds nothing around its page needs no segment of its own.
    const isOwn = !isBare(segment)
    const around = outer?.barrier ?? null
    const barrier = isGuard(segment, source) ? createOutputBarrier(around) : around
    barriers.set(segment, barrier)
    const own = barrier === around ? null : barrier
    const within = { segment, outer, barriers: { outer: around, own } }
    if (isOwn && (isBehind(segment) || source.mounted.has(segment.key))) {
      guards[segment.key] = guardNode(within, source)
    } else if (isOwn) segments[segment.key] = folderNode(within, source)
    const slots: Record<string, PayloadSegment> = {}
    for (const name in segment.slots) {
      const isIn = ({ place }: ShownFallback) => place?.segment === segment && place.slot === name
      const shown = source.fallbacks.findLast(isIn)
      slots[name] = shown
        ? screen(shown, barrier)
        : visit(segment.slots[name] as MatchedSegment, { segment, slot: name, outer, barrier })
    }
    return isOwn ? { key: segment.key, slots } : (slots.children as PayloadSegment)
  }

  function screen(shown: ShownFallback, barrier: OutputBarrier | null): PayloadSegment {
    if (shown === fallback) screenBarrier = barrier
    const slot = shown.place?.slot ?? 'children'
    const key = slot === 'children' ? shown.key : `${shown.key}@${slot}`
    segments[key] = behind(barrier, shown.node)
    return { key }
  }

  const isAbove = fallback !== null && fallback.place === null
  const tree = isAbove ? screen(fallback, null) : visit(root, null)
  return { segments, guards, tree, pagePlace, barriers, screenBarrier }
}

/** Tells whether a folder has a layout that may refuse: one that runs in the browser does not. */
function isGuard({ node }: MatchedFolder, { fileOf }: SegmentSource): boolean {
  const { layout } = node.files
  return layout !== undefined && !isClientReference(fileOf(layout).module.default)
}

/** Tells whether nothing of a folder is around the page of an interception: it is behind it. */
function isBehind(segment: MatchedSegment): boolean {
  if (!segment.background || segment.kind !== 'folder') return segment.background
  return Object.values(segment.slots).every(isBehind)
}

/** Tells whether a folder adds nothing around its page: payloads leave it out. */
export function isBare({ node, slots }: MatchedFolder): boolean {
  for (const name in slots) if (name !== 'children') return false
  for (const role in node.files) if (role !== 'page' && role !== 'default') return false
  return true
}

/** A folder that is rendered, with the barriers before and behind its layout. */
type Within = {
  readonly segment: MatchedFolder
  readonly outer: SlotPath | null
  readonly barriers: { readonly outer: OutputBarrier | null; readonly own: OutputBarrier | null }
}

function pageNode(segment: MatchedLeaf, outer: SlotPath | null, source: SegmentSource): ReactNode {
  if (segment.page === null) {
    const model = screenModel(screenOfStatus(404), source.locale())
    return createElement(Screen, { model, as: 'div' })
  }
  const searchParams = source.searchParamsOf(source.fileOf(segment.page))
  const props = { params: Promise.resolve(segment.params), searchParams }
  const barriers = { outer: outer?.barrier ?? null, own: null }
  return decided(source, segment.page, { place: outer, barriers, props })
}

// The browser may claim to have any segment mounted: a layout that is a guard runs all the same.
function guardNode({ segment, outer, barriers }: Within, source: SegmentSource): ReactNode {
  const { layout } = segment.node.files
  if (!layout || !isGuard(segment, source)) return null
  const component = source.fileOf(layout).module.default as Component
  const props = { params: Promise.resolve(segment.params), children: null }
  // Called within React's render: a layout may call `use`, which interrupts it by throwing.
  const run = () => {
    const rendered = component(props)
    return isThenable(rendered) ? Promise.resolve(rendered).then(() => null) : null
  }
  return source.gate.decide(outer, run, barriers)
}

function folderNode({ segment, outer, barriers }: Within, source: SegmentSource): ReactNode {
  const slots: Record<string, ReactElement> = {}
  for (const name in segment.slots) {
    slots[name] =
      name === 'children' ? childrenSlot(segment, source) : createElement(Slot, { name })
  }
  const { layout, template, loading } = segment.node.files
  if (!layout) return template || loading ? behind(barriers.outer, slots.children) : slots.children
  const props = { params: Promise.resolve(segment.params), ...slots }
  return decided(source, layout, { place: outer, barriers, props })
}

/** The main slot, with what the folder's own files put around it: template, error, loading. */
function childrenSlot(segment: MatchedFolder, source: SegmentSource): ReactElement {
  const { template, error, loading } = segment.node.files
  const slot = createElement(Slot, {
    name: 'children',
    ...(error ? { error: errorScreenOf(source.fileOf(error)) } : {}),
    ...(loading ? { loading: fileElement(source.fileOf(loading), {}) } : {}),
  })
  const withStyles = error ? styled(slot, source.fileOf(error)) : slot
  if (!template) return withStyles
  const templated = fileElement(source.fileOf(template), { children: withStyles })
  return createElement(KeyedSlot, { name: 'children' }, templated)
}

// An error file is a client component: here, only a reference to it.
function errorScreenOf({ module }: LoadedRouteFile): ComponentType<ErrorScreenProps> {
  return module.default as unknown as ComponentType<ErrorScreenProps>
}

function fileElement(file: LoadedRouteFile, props: Record<string, unknown>): ReactElement {
  const component = file.module.default as ComponentType<Record<string, unknown>>
  return styled(createElement(component, props), file)
}

function decided(
  source: SegmentSource,
  path: string,
  {
    place,
    barriers,
    props,
  }: { place: SlotPath | null; barriers: Within['barriers']; props: Record<string, unknown> },
): ReactNode {
  const file = source.fileOf(path)
  const component = file.module.default as Component
  // A client component is run in the browser, and while rendering to HTML.
  const render = isClientReference(component)
    ? () => createElement(component as ComponentType<object>, props)
    : () => component(props)
  const isRoot = import.meta.env.DEV && rootSlotOf(place) === null
  const run = isRoot ? () => withQuietHtml(render()) : render
  return styled(source.gate.decide(place, run, barriers), file)
}

/**
 * Lets the theme's script set attributes of `<html>` without a complaint of development React,
 * which finds them missing in the layout.
 */
function withQuietHtml(rendered: ReactNode | Promise<ReactNode>): ReactNode | Promise<ReactNode> {
  if (isThenable(rendered)) return Promise.resolve(rendered).then(withQuietHtml)
  return isValidElement<object>(rendered) && rendered.type === 'html'
    ? cloneElement(rendered, { suppressHydrationWarning: true } as object)
    : rendered
}

/** The keys of segments that stand inside of a `loading` file's Suspense. */
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
