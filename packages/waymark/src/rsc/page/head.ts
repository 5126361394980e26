import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { LateHead } from '../../components/LateHead.tsx'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { abandoned } from '../../shared/stream.ts'
import type { MetadataFile, MetadataProps } from '../metadata/resolve.ts'
import { type DescribingFile, describingFiles, frontOf } from './describingFiles.ts'
import { type Guard, joinGuards } from './guard.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import type { PageRun } from './pageRun.ts'
import { mayRunBefore, withGuardedHints } from './resourceHints.ts'
import { type LoadedRouteFile, mainLine } from './routeModules.ts'
import { loadingKeys, type RenderedSegments, type SlotPath } from './segments.ts'

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
  readonly run: PageRun<SlotPath | null>
  readonly fallback: { readonly head: Head } | null
  readonly rendered: RenderedSegments
  /** Where the fallback of a failure is looked for. */
  readonly place: SlotPath | null
}

/** Renders the head of a page: it leaves with what it describes, once the layouts around let it. */
export function renderHead(
  source: HeadSource,
  { run, fallback, rendered, place }: HeadRender,
): GuardedHead {
  const { page, app, fileOf } = source
  const { root } = page.match
  if (page.isShell) return { node: [], cut() {} }
  const { guardOf, screenGuard } = rendered
  const files = describingFiles(root, rendered)
  const isPending = ({ segment }: DescribingFile) => guardOf(segment)?.verdict === 'pending'
  const screen = unmatchedScreen(root, files, () => localeOf(page, app))
  const isLater = !fallback && files.some(({ path }) => isGenerated(fileOf(path)))
  const later = isLater ? createLaterHead(() => resolveFiles(source, files, screen)) : null
  const whole = fallback?.head ?? later?.head ?? resolveFiles(source, files, screen)
  if (whole instanceof Promise) run.follow(place, whole)
  // The guard of a file holds for all that it stands in.
  const innermost = files.filter((file, at) => files[at + 1]?.above !== file)
  const around = joinGuards(innermost.map(({ segment }) => guardOf(segment)))
  const guarded = createGuardedHead({
    guard: fallback ? screenGuard : around,
    whole,
    front() {
      // A function would have to run twice, and its result is not there at once.
      const isIn = (file: DescribingFile) =>
        (guardOf(file.segment)?.verdict ?? 'passed') === 'passed' && !isGenerated(fileOf(file.path))
      return resolveFiles(source, frontOf(files, isIn))
    },
    canCut() {
      const undecided = files.find(isPending)?.segment
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
    startWith(node: ReactNode, guard: Guard | null): ReactNode {
      // No props: the dev server would write them into its debug rows.
      // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
      return createElement(function GeneratedHead() {
        if (mayRunBefore(guard)) {
          withGuardedHints(guard, start)
          return node
        }
        const inRender = AsyncLocalStorage.snapshot()
        guard?.onVerdict((hasPassed) => (hasPassed ? inRender(start) : stop()))
        return node
      })
    },
  }
}

function isGenerated({ module }: LoadedRouteFile): boolean {
  return Boolean(module.generateMetadata || module.generateViewport || module.generateImages)
}

/** @returns a promise only when one of the files has a function for it */
function resolveFiles(
  { page, app, fileOf, searchParamsOf }: HeadSource,
  describing: readonly DescribingFile[],
  screen: readonly MetadataFile[] = [],
): Head | Promise<Head> {
  const propsOf = (index: number): MetadataProps => {
    const { segment, path } = describing[index] ?? {}
    const params = Promise.resolve(segment?.params ?? {})
    if (segment?.kind === 'folder' || path === undefined) return { params }
    return { params, searchParams: searchParamsOf(fileOf(path)) }
  }
  const files: MetadataFile[] = [
    ...describing.map(({ path, isBeside }) => (isBeside ? fileBeside(fileOf(path)) : fileOf(path))),
    ...screen,
  ]
  const { origin, pathname } = page
  const head = app.resolveMetadata(files, { origin, pathname, propsOf })
  return head instanceof Promise ? head.then(({ tags }) => tags) : head.tags
}

// One for each file: heads are cached by their files.
const filesBeside = new WeakMap<LoadedRouteFile, MetadataFile>()

function fileBeside(file: LoadedRouteFile): MetadataFile {
  const beside = filesBeside.get(file) ?? { ...file, isBeside: true }
  filesBeside.set(file, beside)
  return beside
}

/** The head of a page, as a node of its payload. */
type GuardedHead = ReturnType<typeof createGuardedHead>

type GuardedHeadOptions = {
  /** Of all layouts that the head comes from. */
  readonly guard: Guard | null
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
  const { guard, whole, front, canCut, page } = options
  if (guard === null) return { node: whole as ReactNode, cut() {} }
  let resolveEarly: ((node: ReactNode) => void) | null = null

  const decided = (hasPassed: boolean) => (hasPassed ? whole : front()) as ReactNode
  const onceDecided = (resolve: (node: ReactNode) => void) =>
    guard.onVerdict((hasPassed) => resolve(decided(hasPassed)))

  // No props: the dev server would write them into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  const node = createElement(function GuardedHead() {
    if (guard.verdict !== 'pending') return decided(guard.verdict === 'passed')
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
      if (guard.verdict !== 'pending' || resolveEarly === null || !canCut()) return
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
  files: readonly DescribingFile[],
  locale: () => ScreenLocale,
): MetadataFile[] {
  if (mainLine(root).at(-1)?.kind !== 'not-found') return []
  if (files.at(-1)?.segment.kind === 'not-found') return [hidden]
  return [screenFile(screenModel(screenOfStatus(404), locale()).title)]
}
