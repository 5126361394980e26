import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { LateHead } from '../../components/LateHead.tsx'
import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import type { ScreenLocale } from '../../screens/screenLocale.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { abandoned } from '../../shared/stream.ts'
import type { MetadataFile, MetadataProps } from '../metadata/resolve.ts'
import type { OutputBarrier } from './outputBarrier.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { mayRunBefore, withGuardedHints } from './resourceHints.ts'
import { type LoadedRouteFile, mainLine, renderedFile } from './routeModules.ts'
import { loadingKeys, type RenderedSegments, type SlotPath } from './segments.ts'
import type { StatusGate } from './statusGate.ts'

/** Title, metadata and links of a page; React hoists them into the document's head. */
export type Head = readonly ReactElement[]

/** What the head of a page is rendered from. */
type HeadSource = {
  readonly page: PageRequest
  readonly app: PageApp
  readonly fileOf: (path: string) => LoadedRouteFile
  /** The query as the page of a file gets it. */
  readonly searchParamsOf: (file: LoadedRouteFile) => Promise<unknown>
}

/** The rendering that a head is a part of. */
type HeadRender = {
  readonly gate: StatusGate<SlotPath | null>
  readonly fallback: { readonly head: Head } | null
  readonly rendered: RenderedSegments
  /** Where the fallback of a failure is looked for. */
  readonly place: SlotPath | null
}

/** Renders the head of a page: it leaves with what it describes, once the layouts around let it. */
export function renderHead(
  source: HeadSource,
  { gate, fallback, rendered, place }: HeadRender,
): GuardedHead {
  const { page, app, fileOf } = source
  const { root } = page.match
  if (page.isShell) return { node: [], cut() {} }
  const { barriers, screenBarrier } = rendered
  const line = describingLine(root)
  const isOpen = ({ segment }: LineFile) => {
    const barrier = barriers.get(segment)
    return barrier === null || barrier?.isOpen === true
  }
  const screen = unmatchedScreen(root, line, () => localeOf(page, app))
  const isLater = !fallback && line.some(({ path }) => isGenerated(fileOf(path)))
  const later = isLater ? createLaterHead(() => resolveLine(source, line, screen)) : null
  const whole = fallback?.head ?? later?.head ?? resolveLine(source, line, screen)
  if (whole instanceof Promise) gate.follow(place, whole)
  const innermost = line.at(-1)
  const around = (innermost && barriers.get(innermost.segment)) ?? null
  const guarded = createGuardedHead({
    barrier: fallback ? screenBarrier : around,
    whole,
    front() {
      // A function would have to run twice, and its result is not there at once.
      const isBehind = (file: LineFile) => !isOpen(file) || isGenerated(fileOf(file.path))
      const end = line.findIndex(isBehind)
      return resolveLine(source, end === -1 ? line : line.slice(0, end))
    },
    canCut() {
      const undecided = line.find((file) => !isOpen(file))?.segment
      if (fallback || !undecided || page.mounted.has(undecided.key)) return false
      return loadingKeys(root).has(undecided.key)
    },
    page: page.shown.pathname + page.shown.search,
  })
  return later ? { ...guarded, node: later.startWith(guarded.node, around) } : guarded
}

/**
 * Creates a head whose functions run within React's render: React's `cache()` is one for them and
 * the page.
 */
function createLaterHead(resolve: () => Head | Promise<Head>) {
  let start = () => {}
  let stop = () => {}
  const head = new Promise<Head>((settle, reject) => {
    // What `resolve` throws at once rejects, too.
    start = () => settle(new Promise((started) => started(resolve())))
    stop = () => reject(abandoned)
  })
  return {
    head,
    /** Runs the functions when React renders the node. */
    startWith(node: ReactNode, barrier: OutputBarrier | null): ReactNode {
      // No props: the dev server would write them into its debug rows.
      // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
      return createElement(function GeneratedHead() {
        if (mayRunBefore(barrier)) {
          withGuardedHints(barrier, start)
          return node
        }
        const inRender = AsyncLocalStorage.snapshot()
        barrier?.whenKnown((isOpen) => (isOpen ? inRender(start) : stop()))
        return node
      })
    },
  }
}

function isGenerated({ module }: LoadedRouteFile): boolean {
  return Boolean(module.generateMetadata || module.generateViewport || module.generateImages)
}

/** @returns a promise only when one of the files has a function for it */
function resolveLine(
  { page, app, fileOf, searchParamsOf }: HeadSource,
  line: readonly LineFile[],
  screen: readonly MetadataFile[] = [],
): Head | Promise<Head> {
  const propsOf = (index: number): MetadataProps => {
    const { segment, path } = line[index] ?? {}
    const params = Promise.resolve(segment?.params ?? {})
    if (segment?.kind === 'folder' || path === undefined) return { params }
    return { params, searchParams: searchParamsOf(fileOf(path)) }
  }
  const files: MetadataFile[] = [...line.map(({ path }) => fileOf(path)), ...screen]
  const { origin, pathname } = page
  const head = app.resolveMetadata(files, { origin, pathname, propsOf })
  return head instanceof Promise ? head.then(({ tags }) => tags) : head.tags
}

/** The head of a page, as a node of its payload. */
type GuardedHead = ReturnType<typeof createGuardedHead>

type GuardedHeadOptions = {
  /** The barrier of all layouts that the head comes from. */
  readonly barrier: OutputBarrier | null
  readonly whole: Head | Promise<Head>
  /** Renders the head of what stands in front of the layouts that have not rendered yet. */
  readonly front: () => Head | Promise<Head>
  /** Tells whether what stands in front can be shown while they decide. */
  readonly canCut: () => boolean
  /** Names the page. */
  readonly page: string
}

/** Creates a head that leaves the server only once the layouts around its page let it. */
export function createGuardedHead(options: GuardedHeadOptions) {
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
    node: node as ReactNode,
    /**
     * Sends the head of what stands in front of the layouts that have not decided, where a browser
     * can show that; the rest follows once they have. Without it, all of the head waits for them.
     */
    cut(): void {
      if (barrier.isOpen !== null || resolveEarly === null || !canCut()) return
      const late = new Promise<ReactNode>(onceDecided) as ReactNode
      resolveEarly(createElement(LateHead, { page, early: front() as ReactNode }, late))
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
  file: LoadedRouteFile | null
  title: string
  page: PageRequest
  app: PageApp
}): Promise<Head> {
  const { place, file, title, page, app } = at
  const paths = placesFrom(place).flatMap(({ segment: { node } }) => [
    ...(node.images ?? []),
    ...(node.files.layout ? [node.files.layout] : []),
  ])
  const files = await Promise.all(paths.map((path) => app.modules.load(path)))
  const own = file ? [file, hidden] : [screenFile(title)]
  const propsOf = (): MetadataProps => ({ params: Promise.resolve(place?.segment.params ?? {}) })
  const request = { origin: page.origin, pathname: page.pathname, propsOf }
  try {
    const resolving = app.resolveMetadata([...files, ...own], request)
    const head =
      resolving instanceof Promise ? await withDeadline(resolving, fallbackHeadMs) : resolving
    if (head !== timedOut) return head.tags
  } catch {
    // It is the metadata that failed: reported already, and the screen needs a title.
  }
  return (await app.resolveMetadata([screenFile(title)], request)).tags
}

// Nothing of the response is sent before that.
const fallbackHeadMs = 5_000

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

/** Where no route answers: what is shown is the root's not-found, or the built-in screen. */
function unmatchedScreen(
  root: MatchedSegment,
  line: readonly LineFile[],
  locale: () => ScreenLocale,
): MetadataFile[] {
  if (mainLine(root).at(-1)?.kind !== 'not-found') return []
  if (line.at(-1)?.segment.kind === 'not-found') return [hidden]
  return [screenFile(screenModel(screenOfStatus(404), locale()).title)]
}

type LineFile = { readonly segment: MatchedSegment; readonly path: string }

/**
 * The layouts and the page that describe the document, from the root down: those of the main
 * line, or of the slot in which a page is shown over another.
 */
function describingLine(root: MatchedSegment): LineFile[] {
  const files: LineFile[] = []
  for (let segment: MatchedSegment | undefined = root; segment; ) {
    const path = renderedFile(segment)
    // Whether this request may see the page behind an interception is not known.
    const isShown = segment.kind === 'folder' || !segment.background
    const images = (segment.kind === 'folder' && segment.node.images) || []
    // What a layout says of the images of its folder comes after them, and wins.
    for (const each of isShown && path ? [...images, path] : images) {
      files.push({ segment, path: each })
    }
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
