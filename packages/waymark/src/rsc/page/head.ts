import { createElement, type ReactElement, type ReactNode } from 'react'
import { LateHead } from '../../components/LateHead.tsx'
import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import type { ScreenLocale } from '../../screens/screenLocale.ts'
import type { MetadataFile, MetadataProps, ResolveMetadata } from '../metadata/resolve.ts'
import type { OutputBarrier } from './outputBarrier.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { RouteFile } from './routeModules.ts'
import type { SlotPath } from './segments.ts'

/** Title, metadata and links of a page; React hoists them into the document's head. */
export type Head = readonly ReactElement[]

/** What the head of a page is rendered from. */
export type HeadRequest = {
  readonly root: MatchedSegment
  readonly fileOf: (path: string) => RouteFile
  /** `null` when it is not known, as while prerendering. */
  readonly origin: string | null
  readonly pathname: string
  /** The query as the page of a file gets it. */
  readonly searchParamsOf: (file: RouteFile) => Promise<unknown>
  /** What the built-in screen of an unmatched URL is written in. */
  readonly locale: () => ScreenLocale
}

/**
 * Renders the head of a page, from its layouts and its own file.
 * @returns a promise only when one of them has a function for it
 */
export function renderHead(request: HeadRequest, resolve: ResolveMetadata): Head | Promise<Head> {
  const { root, fileOf, origin, pathname, searchParamsOf } = request
  const line = mainLine(root)
  const propsOf = (index: number): MetadataProps => {
    const { segment, path } = line[index] ?? {}
    const params = Promise.resolve(segment?.params ?? {})
    if (segment?.kind === 'folder' || path === undefined) return { params }
    return { params, searchParams: searchParamsOf(fileOf(path)) }
  }
  const files: MetadataFile[] = line.map(({ path }) => fileOf(path))
  if (isUnmatched(root)) files.push(hasOwnScreen(line) ? hidden : unmatchedScreen(request.locale()))
  const head = resolve(files, { origin, pathname, propsOf })
  return head instanceof Promise ? head.then(({ tags }) => tags) : head.tags
}

/**
 * Renders the head of the outermost layouts, as long as `isOpen` holds for each. It ends before a
 * layout with `generateMetadata`, which is not there at once.
 */
export function renderFrontHead(
  { root, fileOf, origin, pathname }: HeadRequest,
  resolve: ResolveMetadata,
  isOpen: (segment: MatchedSegment) => boolean,
): Head {
  const line = mainLine(root)
  const isInFront = ({ segment, path }: LineFile) => {
    const { generateMetadata, generateViewport } = fileOf(path).module
    return isOpen(segment) && !generateMetadata && !generateViewport
  }
  const end = line.findIndex((file) => !isInFront(file))
  const files = line.slice(0, end === -1 ? line.length : end).map(({ path }) => fileOf(path))
  const propsOf = (): MetadataProps => ({ params: Promise.resolve({}) })
  const head = resolve(files, { origin, pathname, propsOf })
  // Without a function, it is there at once.
  return head instanceof Promise ? [] : head.tags
}

/** The segments that describe the document, from the root down. */
export function describingSegments(root: MatchedSegment): MatchedSegment[] {
  return mainLine(root).map(({ segment }) => segment)
}

/** The head of a page, as a node of its payload. */
export type GuardedHead = {
  readonly node: ReactNode
  /**
   * Sends the head of what stands in front of the layouts that have not decided, where a browser
   * can show that; the rest follows once they have. Without it, all of the head waits for them.
   */
  cut(): void
}

type GuardedHeadOptions = {
  /** The barrier of all layouts that the head comes from. */
  readonly barrier: OutputBarrier | null
  readonly whole: Head | Promise<Head>
  /** Renders the head of what stands in front of the layouts that have not rendered yet. */
  readonly front: () => Head
  /** Tells whether what stands in front can be shown while they decide. */
  readonly canCut: () => boolean
  /** Names the page. */
  readonly page: string
}

/** Creates a head that leaves the server only once the layouts around its page let it. */
export function createGuardedHead(options: GuardedHeadOptions): GuardedHead {
  const { barrier, whole, front, canCut, page } = options
  if (barrier === null) return { node: whole as ReactNode, cut() {} }
  let resolveEarly: ((node: ReactNode) => void) | null = null

  const decided = (isOpen: boolean) => (isOpen ? whole : front()) as ReactNode
  const onceDecided = (resolve: (node: ReactNode) => void) =>
    barrier.whenKnown((isOpen) => resolve(decided(isOpen)))

  // No props: the dev server would write them into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  const node = createElement(function GuardedHead() {
    if (barrier.isOpen !== null) return decided(barrier.isOpen)
    return new Promise<ReactNode>((resolve) => {
      resolveEarly = resolve
      onceDecided(resolve)
    })
  })

  return {
    node,
    cut() {
      if (barrier.isOpen !== null || resolveEarly === null || !canCut()) return
      const late = new Promise<ReactNode>(onceDecided) as ReactNode
      resolveEarly(createElement(LateHead, { page, early: front() }, late))
    },
  }
}

/**
 * Renders the head of a fallback: that of the layouts around it, with its own title, and hidden
 * from search engines.
 * @param at `place` null: the screen stands above the root layout; `file` null: it is built in
 */
export async function renderFallbackHead(at: {
  place: SlotPath | null
  file: RouteFile | null
  title: string
  page: PageRequest
  app: PageApp
}): Promise<Head> {
  const { place, file, title, page, app } = at
  const layouts = placesFrom(place).flatMap(({ segment }) => segment.node.files.layout ?? [])
  const files = await Promise.all(layouts.map((path) => app.modules.load(path)))
  const own = file ? [file, hidden] : [screenFile(title)]
  const propsOf = (): MetadataProps => ({ params: Promise.resolve(place?.segment.params ?? {}) })
  const request = { origin: page.origin, pathname: page.pathname, propsOf }
  try {
    return (await app.resolveMetadata([...files, ...own], request)).tags
  } catch {
    // It is the metadata that failed: reported already, and the screen needs a title.
    return (await app.resolveMetadata([screenFile(title)], request)).tags
  }
}

const hidden: MetadataFile = { file: '#/', module: { metadata: { robots: { index: false } } } }

function screenFile(title: string): MetadataFile {
  return {
    file: '#/',
    module: { metadata: { title: { absolute: title }, robots: { index: false } } },
  }
}

function placesFrom(place: SlotPath | null): SlotPath[] {
  return place ? [...placesFrom(place.outer), place] : []
}

function unmatchedScreen(locale: ScreenLocale): MetadataFile {
  return screenFile(screenModel(screenOfStatus(404), locale).title)
}

/** Tells whether no route answers: what is shown is the root's not-found, or the built-in one. */
function isUnmatched(root: MatchedSegment): boolean {
  let segment: MatchedSegment | undefined = root
  while (segment?.kind === 'folder') segment = segment.slots.children
  return segment?.kind === 'not-found'
}

function hasOwnScreen(line: readonly LineFile[]): boolean {
  return line.at(-1)?.segment.kind === 'not-found'
}

type LineFile = { readonly segment: MatchedSegment; readonly path: string }

/**
 * The layouts and the page that describe the document, from the root down: those of the main
 * line, or of the slot in which a page is shown over another.
 */
function mainLine(root: MatchedSegment): LineFile[] {
  const files: LineFile[] = []
  let segment: MatchedSegment | undefined = root
  while (segment) {
    const path = segment.kind === 'folder' ? segment.node.files.layout : segment.page
    // Whether this request may see the page behind an interception is not known.
    if (path && !(segment.kind !== 'folder' && segment.background)) files.push({ segment, path })
    segment = segment.kind === 'folder' ? describing(segment) : undefined
  }
  return files
}

function describing({ slots }: MatchedFolder): MatchedSegment | undefined {
  const { children, ...others } = slots
  if (!children?.background) return children
  return (
    Object.values(others).find((slot) => !slot.background && slot.kind !== 'default') ?? children
  )
}
