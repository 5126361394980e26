import { createElement, type ReactElement, type ReactNode } from 'react'
import { StreamedHead } from '../../components/StreamedHead.tsx'
import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenModel, screenOfStatus } from '../../screens/model.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { memoized } from '../../shared/maps.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { MetadataFile, MetadataProps } from '../metadata/resolve.ts'
import { observed } from '../request/serverObserver.ts'
import { type Guard, joinGuards, withGuardedHints } from './guard.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import type { PageStatus } from './pageStatus.ts'
import { type LoadedRouteFile, mainSegments, renderedFile } from './routeModules.ts'
import { loadingKeys, type RenderedSegments } from './segments.ts'
import type { SlotPath } from './slotPath.ts'

/** Title, metadata and links of a page, which React hoists into the document's head. */
export type Head = readonly ReactElement[]

type HeadSource = {
  readonly page: PageRequest
  readonly app: PageApp
  readonly fileOf: (path: string) => LoadedRouteFile
  readonly searchParamsOf: (file: LoadedRouteFile) => Promise<unknown>
}

type HeadRender = {
  readonly pageStatus: PageStatus
  readonly fallback: { readonly head: Head } | null
  readonly segments: RenderedSegments
  /** Place of the fallback to show if the metadata fails. */
  readonly place: SlotPath | null
}

export function renderHead(
  source: HeadSource,
  { pageStatus, fallback, segments, place }: HeadRender,
): GuardedHead {
  const { page, app, fileOf } = source
  const { root } = page.match
  if (page.isShell) return { node: [], sendDecided: () => false }
  const { guardOf, screenGuard } = segments
  const files = describingFiles(root, segments)
  const isPending = ({ segment }: DescribingFile) => guardOf(segment)?.verdict === 'pending'
  const screen = unmatchedScreen(root, files, () => localeOf(page, app))
  const isFunction = !fallback && files.some(({ path }) => isGenerated(fileOf(path)))
  const generated = isFunction
    ? createGeneratedHead(() =>
        observed(page.scope.context.observer, { kind: 'metadata' }, () =>
          resolveFiles(source, files, screen),
        ),
      )
    : null
  const whole = fallback?.head ?? generated?.head ?? resolveFiles(source, files, screen)
  if (whole instanceof Promise) pageStatus.follow(place, whole)
  // A file's guard includes the guards of the files around it, so only check the innermost files.
  const innermost = files.filter((file, at) => files[at + 1]?.above !== file)
  const around = joinGuards(innermost.map(({ segment }) => guardOf(segment)))
  const guarded = createGuardedHead({
    guard: fallback ? screenGuard : around,
    whole,
    renderDecided() {
      // Exclude files that export functions: the functions would have to run twice, and they take
      // time.
      const isDecided = (file: DescribingFile) =>
        (guardOf(file.segment)?.verdict ?? 'passed') === 'passed' && !isGenerated(fileOf(file.path))
      return resolveFiles(source, filesAbove(files, isDecided))
    },
    isVisible() {
      const undecided = files.find(isPending)?.segment
      if (fallback || !undecided || page.mounted.has(undecided.key)) return false
      return loadingKeys(root).has(undecided.key)
    },
    page: page.address.pathname + page.address.search,
  })
  return generated ? { ...guarded, node: generated.startWith(guarded.node, around) } : guarded
}

/**
 * Creates a head from metadata functions. The functions run during React's render, so that they
 * share its `cache()`.
 */
function createGeneratedHead(resolve: () => Head | Promise<Head>) {
  let start = () => {}
  const head = new Promise<Head>((settle) => {
    start = () => settle(new Promise((started) => started(resolve())))
  })
  return {
    head,
    startWith(node: ReactNode, guard: Guard | null): ReactNode {
      // Use a component without props, because React writes props into its debug rows in development.
      // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
      return createElement(function GeneratedHead() {
        withGuardedHints(guard, start)
        return node
      })
    },
  }
}

function isGenerated({ module }: LoadedRouteFile): boolean {
  return Boolean(module.generateMetadata || module.generateViewport || module.generateImages)
}

/**
 * Merges the files' metadata. @returns a promise only if one of them exports a function for its
 * metadata
 */
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

// Always return the same object for a file, because it is a key of the cache for heads.
const fileBeside = memoized((file: LoadedRouteFile): MetadataFile => ({ ...file, isBeside: true }))

type GuardedHead = ReturnType<typeof createGuardedHead>

type GuardedHeadOptions = {
  readonly guard: Guard | null
  readonly whole: Head | Promise<Head>
  /** Renders the head of the layouts that have let the request pass so far. */
  readonly renderDecided: () => Head | Promise<Head>
  /** Returns true if a browser can already show the layouts that have rendered. */
  readonly isVisible: () => boolean
  readonly page: string
}

/** Creates a head that is only sent after the layouts around its page have let the request pass. */
export function createGuardedHead(options: GuardedHeadOptions) {
  const { guard, whole, renderDecided, isVisible, page } = options
  if (guard === null) return { node: whole as ReactNode, sendDecided: () => false }
  let resolveNode: ((node: ReactNode) => void) | null = null

  const decided = (hasPassed: boolean) => (hasPassed ? whole : renderDecided()) as ReactNode
  const onceDecided = (resolve: (node: ReactNode) => void) =>
    guard.onVerdict((hasPassed) => resolve(decided(hasPassed)))

  // Use a component without props, because React writes props into its debug rows in development.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  const node = createElement(function GuardedHead() {
    if (guard.verdict !== 'pending') return decided(guard.verdict === 'passed')
    return new Promise<ReactNode>((resolve) => {
      resolveNode = resolve
      onceDecided(resolve)
    })
  })

  return {
    node: node as ReactNode,
    /**
     * Sends the head of the layouts that have rendered, if a browser can already show them. The
     * rest of the head follows.
     * @returns true if the head was sent, so that React completes it in the browser
     */
    sendDecided(): boolean {
      if (guard.verdict !== 'pending' || resolveNode === null || !isVisible()) return false
      const rest = new Promise<ReactNode>(onceDecided) as ReactNode
      resolveNode(
        createElement(StreamedHead, { page, initialTags: renderDecided() as ReactNode }, rest),
      )
      return true
    },
  }
}

/**
 * Renders a fallback's head from the metadata of the layouts around it and the fallback's own
 * title. The head asks search engines not to index the page.
 * @param at `place` is null above the root layout, and `file` is null for a built-in screen
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
  const screen = file ? [file, hidden] : [screenFile(title)]
  const propsOf = (): MetadataProps => ({ params: Promise.resolve(place?.segment.params ?? {}) })
  const request = { origin: page.origin, pathname: page.pathname, propsOf }
  try {
    const resolving = app.resolveMetadata([...files, ...screen], request)
    const head =
      resolving instanceof Promise ? await withDeadline(resolving, fallbackHeadMs) : resolving
    if (head !== timedOut) return head.tags
  } catch {
    // The metadata's failure has already been reported, and the screen still needs a title.
  }
  return (await app.resolveMetadata([screenFile(title)], request)).tags
}

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

/**
 * Returns the title for an unmatched URL, from the root's not-found file or from the built-in
 * screen.
 */
function unmatchedScreen(
  root: MatchedSegment,
  files: readonly DescribingFile[],
  locale: () => ScreenLocale,
): MetadataFile[] {
  if (mainSegments(root).at(-1)?.kind !== 'not-found') return []
  if (files.at(-1)?.segment.kind === 'not-found') return [hidden]
  return [screenFile(screenModel(screenOfStatus(404), locale()).title)]
}

/** A layout or page whose metadata describes the document. */
export type DescribingFile = {
  readonly segment: MatchedSegment
  readonly path: string
  /** The nearest describing file around this one. */
  readonly above: DescribingFile | null
  /** True for a file in a parallel slot that isn't the document's main content. */
  readonly isBeside: boolean
}

/**
 * Lists the files in order of increasing precedence. The slot with the document's main content
 * comes last, so that its metadata wins.
 */
export function describingFiles(
  segment: MatchedSegment,
  rendered: Pick<RenderedSegments, 'guardOf'>,
  { above, isBeside }: Pick<DescribingFile, 'above' | 'isBeside'> = {
    above: null,
    isBeside: false,
  },
): DescribingFile[] {
  // Skip a slot that shows a fallback, and a page behind an interception, because this request may
  // not be allowed to see it.
  if (rendered.guardOf(segment) === undefined) return []
  const path = renderedFile(segment)
  const images = (segment.kind === 'folder' && segment.node.images) || []
  const files: DescribingFile[] = []
  // Put a layout after the images in its folder, so that its metadata wins.
  for (const each of path ? [...images, path] : images) {
    files.push({ segment, path: each, above: files.at(-1) ?? above, isBeside })
  }
  if (segment.kind !== 'folder') return files
  const main = mainSlot(segment)
  const within = files.at(-1) ?? above
  const others = Object.values(segment.slots).filter((slot) => slot !== main && !slot.background)
  for (const slot of others) {
    files.push(...describingFiles(slot, rendered, { above: within, isBeside: true }))
  }
  if (main) files.push(...describingFiles(main, rendered, { above: within, isBeside }))
  return files
}

/**
 * Returns the slot with the main content: `children`, or the slot whose page is shown over
 * `children`.
 */
function mainSlot({ slots }: MatchedFolder): MatchedSegment | undefined {
  const { children, ...others } = slots
  if (!children?.background) return children
  return (
    Object.values(others).find((slot) => !slot.background && slot.kind !== 'default') ?? children
  )
}

/**
 * Returns the files for which `hasIt` is true, from the root down. Each branch ends before its
 * first file for which it is false.
 */
export function filesAbove(
  files: readonly DescribingFile[],
  hasIt: (file: DescribingFile) => boolean,
): DescribingFile[] {
  const connected = new Set<DescribingFile>()
  for (const file of files) {
    if ((file.above === null || connected.has(file.above)) && hasIt(file)) connected.add(file)
  }
  return [...connected]
}
