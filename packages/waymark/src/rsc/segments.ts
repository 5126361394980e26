import {
  type ComponentType,
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { ErrorScreenProps } from '../client/boundary.tsx'
import { KeyedSlot, Slot } from '../client/slot.tsx'
import type { MatchedFolder, MatchedLeaf, MatchedSegment } from '../routing/matched.ts'
import { NotFoundScreen } from '../screens/Screen.tsx'
import type { PayloadSegment } from '../shared/payload.ts'
import type { Gate } from './gate.ts'
import type { RouteFile } from './routeModules.ts'

/**
 * A slot of a mounted segment, with the slots around it: where a fallback can take the place
 * of what failed inside.
 */
export type Place = {
  readonly segment: MatchedFolder
  readonly slot: string
  readonly outer: Place | null
}

/** What the segments of a route are rendered from. */
export type SegmentSource = {
  readonly fileOf: (path: string) => RouteFile
  readonly gate: Gate<Place | null>
  readonly searchParams: Promise<Record<string, string | string[]>>
  /** Keys of segments that the browser has mounted: they are run, and not sent again. */
  readonly held: ReadonlySet<string>
  /** The screen that stands in one of the slots, or above the root layout. */
  readonly replacement: {
    readonly place: Place | null
    readonly key: string
    readonly node: ReactNode
  } | null
}

/** The parts of a payload that the route's own files make. */
export type RenderedSegments = {
  readonly segments: Record<string, ReactNode>
  /** Deciders of held segments: to be rendered, to nothing. */
  readonly guards: Record<string, ReactNode>
  readonly tree: PayloadSegment
  /** Where the page stands: its failures are answered from there outwards. */
  readonly pagePlace: Place | null
}

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/** Makes the elements of a matched route, one for each segment. */
export function renderSegments(root: MatchedSegment, source: SegmentSource): RenderedSegments {
  const segments: Record<string, ReactNode> = {}
  const guards: Record<string, ReactNode> = {}
  const { replacement } = source
  let pagePlace: Place | null = null

  function visit(segment: MatchedSegment, outer: Place | null): PayloadSegment {
    return segment.kind === 'folder' ? folder(segment, outer) : leaf(segment, outer)
  }

  function leaf(segment: MatchedLeaf, outer: Place | null): PayloadSegment {
    // Its page may be one that this request may not see; the browser shows it already.
    if (segment.background) return { key: segment.key }
    if (segment.kind === 'page') pagePlace = outer
    segments[segment.key] = pageNode(segment, outer, source)
    return { key: segment.key }
  }

  function folder(segment: MatchedFolder, outer: Place | null): PayloadSegment {
    const slots: Record<string, PayloadSegment> = {}
    let isSlotted = false
    for (const name in segment.slots) {
      const isReplaced = replacement?.place?.segment === segment && replacement.place.slot === name
      slots[name] = isReplaced
        ? screen(replacement)
        : visit(segment.slots[name] as MatchedSegment, { segment, slot: name, outer })
      if (name !== 'children') isSlotted = true
    }
    // A folder that adds nothing around its page needs no segment of its own.
    if (!isSlotted && slots.children && isBare(segment)) return slots.children
    if (segment.background || source.held.has(segment.key)) {
      guards[segment.key] = guardNode(segment, outer, source)
    } else segments[segment.key] = folderNode(segment, outer, source)
    return { key: segment.key, slots }
  }

  function screen({ key, node }: { key: string; node: ReactNode }): PayloadSegment {
    segments[key] = node
    return { key }
  }

  const tree = replacement && replacement.place === null ? screen(replacement) : visit(root, null)
  return { segments, guards, tree, pagePlace }
}

function isBare({ node }: MatchedFolder): boolean {
  for (const role in node.files) if (role !== 'page' && role !== 'default') return false
  return true
}

function pageNode(segment: MatchedLeaf, outer: Place | null, source: SegmentSource): ReactNode {
  if (segment.page === null) return createElement(NotFoundScreen, { as: 'div' })
  const { searchParams } = source
  return decided(source, segment.page, outer, {
    params: Promise.resolve(segment.params),
    searchParams,
  })
}

// What the browser says it holds is a claim: a layout that is a guard runs all the same.
function guardNode(segment: MatchedFolder, outer: Place | null, source: SegmentSource): ReactNode {
  const { layout } = segment.node.files
  if (!layout) return null
  const { module } = source.fileOf(layout)
  const component = module.default as Component
  const props = { params: Promise.resolve(segment.params), children: null }
  return source.gate.decide(outer, async () => {
    await component(props)
    return null
  })
}

function folderNode(segment: MatchedFolder, outer: Place | null, source: SegmentSource): ReactNode {
  const slots: Record<string, ReactElement> = {}
  for (const name of Object.keys(segment.slots)) {
    slots[name] =
      name === 'children' ? childrenSlot(segment, source) : createElement(Slot, { name })
  }
  const { layout } = segment.node.files
  if (!layout) return slots.children
  return decided(source, layout, outer, { params: Promise.resolve(segment.params), ...slots })
}

/** The main slot, with what the folder's own files put around it: template, error, loading. */
function childrenSlot(segment: MatchedFolder, source: SegmentSource): ReactElement {
  const { template, error, loading } = segment.node.files
  const slot = createElement(Slot, {
    name: 'children',
    ...(error ? { error: errorScreenOf(source.fileOf(error)) } : {}),
    ...(loading ? { loading: fileElement(source.fileOf(loading), {}) } : {}),
  })
  if (!template) return slot
  const templated = fileElement(source.fileOf(template), { children: slot })
  return createElement(KeyedSlot, { name: 'children' }, templated)
}

// An error file is a client component: here, only a reference to it.
function errorScreenOf({ module }: RouteFile): ComponentType<ErrorScreenProps> {
  return module.default as unknown as ComponentType<ErrorScreenProps>
}

function fileElement({ module, styles }: RouteFile, props: Record<string, unknown>): ReactElement {
  const element = createElement(module.default as ComponentType<Record<string, unknown>>, props)
  return styles ? createElement(Fragment, null, styles, element) : element
}

function decided(
  source: SegmentSource,
  path: string,
  outer: Place | null,
  props: Record<string, unknown>,
): ReactNode {
  const { module, styles } = source.fileOf(path)
  const component = module.default as Component
  const render = () => component(props)
  const isRoot = outer === null && import.meta.env.DEV
  const element = source.gate.decide(outer, isRoot ? () => withQuietHtml(render()) : render)
  return styles ? createElement(Fragment, null, styles, element) : element
}

/**
 * Lets the theme's script set attributes of `<html>` without a complaint of development React,
 * which finds them missing in the layout.
 */
function withQuietHtml(rendered: ReactNode | Promise<ReactNode>): ReactNode | Promise<ReactNode> {
  if (rendered instanceof Promise) return rendered.then(withQuietHtml)
  return isValidElement<object>(rendered) && rendered.type === 'html'
    ? cloneElement(rendered, { suppressHydrationWarning: true } as object)
    : rendered
}
