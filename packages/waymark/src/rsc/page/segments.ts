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
import { createGuard, type Guard, guarded, runSilently } from './guard.ts'
import type { PageRun } from './pageRun.ts'
import { type LoadedRouteFile, styled } from './routeModules.ts'

/**
 * Keys of the client references that each page shows. They do nothing before a navigation, so that
 * pages work without them.
 */
export const slotFiles: readonly string[] = [Slot, KeyedSlot].flatMap(
  (component) => clientReferenceId(component)?.split('#')[0] ?? [],
)

/** A place: a slot of a segment, with the slots around it. A fallback can be shown in it. */
export type SlotPath = {
  readonly segment: MatchedFolder
  readonly slot: string
  readonly outer: SlotPath | null
  /** Through the layouts around the slot. */
  readonly guard: Guard | null
}

/** The slot of the root layout that a place is in; `null` above all layouts. */
export function rootSlotOf(place: SlotPath | null): SlotPath | null {
  let found: SlotPath | null = null
  for (let at = place; at; at = at.outer) if (at.segment.node.files.layout) found = at
  return found
}

type SegmentSource = {
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly run: PageRun<SlotPath | null>
  readonly searchParamsOf: (file: LoadedRouteFile) => Promise<unknown>
  /** Keys of segments that the browser has mounted: they run, and are not sent again. */
  readonly mounted: ReadonlySet<string>
  readonly locale: () => ScreenLocale
  /** Shown in slots, or above the root layout; where two have one place, the last. */
  readonly fallbacks: readonly ShownFallback[]
  /** The one of them that the page has come to. */
  readonly fallback: ShownFallback | null
}

export type ShownFallback = {
  /** The slot that the screen is shown in; `null` above the root layout. */
  readonly place: SlotPath | null
  readonly key: string
  readonly node: ReactNode
}

export type RenderedSegments = ReturnType<typeof renderSegments>

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/**
 * Creates the elements of a matched route, one for each segment.
 * @returns `guards`: layouts of mounted segments, which run and have no output; `guardOf`: the guard
 *   of a segment, `null` where none can refuse, `undefined` where it is not rendered; `hasScreen`:
 *   a built-in screen stands in a slot
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
    return segment.kind === 'folder' ? folder(segment, outer) : leaf(segment, outer)
  }

  function leaf(segment: MatchedLeaf, outer: SlotPath | null): PayloadSegment {
    // Its page may be one that this request may not see; the browser shows it already.
    if (segment.background) return { key: segment.key }
    if (segment.kind === 'page') pagePlace = outer
    guardOfSegment.set(segment, outer?.guard ?? null)
    hasScreen ||= isScreen(segment)
    segments[segment.key] = pageNode(segment, outer, source)
    return { key: segment.key }
  }

  function folder(segment: MatchedFolder, outer: SlotPath | null): PayloadSegment {
    // A folder that adds nothing around its page needs no segment of its own.
    const isOwn = !isBare(segment)
    const around = outer?.guard ?? null
    const own = isGuard(segment, source) ? createGuard(around) : null
    const guard = own ?? around
    guardOfSegment.set(segment, guard)
    const within = { segment, outer, own }
    if (isOwn && (isInBackground(segment) || source.mounted.has(segment.key))) {
      guards[segment.key] = guardNode(within, source)
    } else if (isOwn) segments[segment.key] = folderNode(within, source)
    const slots: Record<string, PayloadSegment> = {}
    for (const name in segment.slots) {
      const isIn = ({ place }: ShownFallback) => place?.segment === segment && place.slot === name
      const shown = source.fallbacks.findLast(isIn)
      slots[name] = shown
        ? screen(shown, guard)
        : visit(segment.slots[name] as MatchedSegment, { segment, slot: name, outer, guard })
    }
    return isOwn ? { key: segment.key, slots } : (slots.children as PayloadSegment)
  }

  function screen(shown: ShownFallback, guard: Guard | null): PayloadSegment {
    if (shown === fallback) screenGuard = guard
    const slot = shown.place?.slot ?? 'children'
    const key = slot === 'children' ? shown.key : `${shown.key}@${slot}`
    segments[key] = guarded(guard, shown.node)
    return { key }
  }

  const isAbove = fallback !== null && fallback.place === null
  const tree = isAbove ? screen(fallback, null) : visit(root, null)
  const guardOf = (segment: MatchedSegment) => guardOfSegment.get(segment)
  return { segments, guards, tree, pagePlace, guardOf, screenGuard, hasScreen }
}

/** Tells whether a folder has a layout that may refuse: a client component does not. */
function isGuard({ node }: MatchedFolder, { fileOf }: SegmentSource): boolean {
  const { layout } = node.files
  return layout !== undefined && !isClientReference(fileOf(layout).module.default)
}

/** True for a segment that only the intercepted page in the background renders. */
function isInBackground(segment: MatchedSegment): boolean {
  if (!segment.background || segment.kind !== 'folder') return segment.background
  return Object.values(segment.slots).every(isInBackground)
}

/** Tells whether a folder adds nothing around its page: payloads leave it out. */
export function isBare({ node, slots }: MatchedFolder): boolean {
  for (const name in slots) if (name !== 'children') return false
  for (const role in node.files) if (role !== 'page' && role !== 'default') return false
  return true
}

/** `own` is the guard of the folder's layout, where that may refuse. */
type Within = {
  readonly segment: MatchedFolder
  readonly outer: SlotPath | null
  readonly own: Guard | null
}

function pageNode(segment: MatchedLeaf, outer: SlotPath | null, source: SegmentSource): ReactNode {
  if (isScreen(segment)) {
    const model = screenModel(screenOfStatus(404), source.locale())
    return createElement(Screen, { model, as: 'div' })
  }
  if (segment.page === null) return null
  const searchParams = source.searchParamsOf(source.fileOf(segment.page))
  const props = { params: paramsOf(segment), searchParams }
  return partNode(source, segment.page, { outer, own: null, props })
}

/** True for a slot without a page, where a built-in screen says so. */
function isScreen({ page, kind }: MatchedLeaf): boolean {
  return page === null && kind !== 'default'
}

/** The params of a page or layout. In development, reading one of the promise itself says so. */
function paramsOf({ params }: Pick<MatchedSegment, 'params'>): Promise<MatchedSegment['params']> {
  const promise = Promise.resolve(params)
  if (!import.meta.env.DEV) return promise
  const get = (name: string) => () => {
    throw frameworkError('PARAMS_NOT_AWAITED', { name })
  }
  // Such a name is React's, or the promise's.
  const names = Object.keys(params).filter(
    (name) => !/^(?:status|value|reason)$/.test(name) && !(name in promise),
  )
  for (const name of names) Object.defineProperty(promise, name, { get: get(name) })
  return promise
}

// The browser may claim to have any segment mounted: a layout that is a guard runs all the same.
function guardNode({ segment, outer, own }: Within, source: SegmentSource): ReactNode {
  const { layout } = segment.node.files
  if (!layout || !isGuard(segment, source)) return null
  const component = source.fileOf(layout).module.default as Component
  const props = { params: paramsOf(segment), children: null }
  const render = () => runSilently(component, props)
  return source.run.part({ place: outer, render, behind: outer?.guard, guard: own })
}

function folderNode({ segment, outer, own }: Within, source: SegmentSource): ReactNode {
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
  return partNode(source, layout, { outer, own, props })
}

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

function errorScreenOf({ module }: LoadedRouteFile): ComponentType<ErrorScreenProps> {
  return module.default as unknown as ComponentType<ErrorScreenProps>
}

function fileElement(file: LoadedRouteFile, props: Record<string, unknown>): ReactElement {
  const component = file.module.default as ComponentType<Record<string, unknown>>
  return styled(createElement(component, props), file)
}

function partNode(
  { run, fileOf }: SegmentSource,
  path: string,
  { outer, own, props }: Pick<Within, 'outer' | 'own'> & { props: Record<string, unknown> },
): ReactNode {
  const file = fileOf(path)
  const component = file.module.default as Component
  const renderFile = isClientReference(component)
    ? () => createElement(component as ComponentType<object>, props)
    : () => component(props)
  const isRoot = import.meta.env.DEV && rootSlotOf(outer) === null
  const render = isRoot ? () => withQuietHtml(renderFile()) : renderFile
  return styled(run.part({ place: outer, render, behind: outer?.guard, guard: own }), file)
}

/** The theme's script sets attributes of `<html>`, of which React in development would complain. */
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
