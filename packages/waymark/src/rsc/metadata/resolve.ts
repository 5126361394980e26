import { cloneElement, type ReactElement } from 'react'
import { isClientReference } from '../../react/clientReference.ts'
import { imageFileOf } from '../../routing/routeFile.ts'
import { frameworkError } from '../../shared/errors.ts'
import { headTagKind, metadataMark } from '../../wire/headTags.ts'
import {
  completeMetadata,
  completeViewport,
  createIncompleteWarnings,
  type ReportIncomplete,
} from './completeMetadata.ts'
import {
  completeSocial,
  mergeMetadata,
  mergeViewport,
  type PageLocation,
  type TitleTemplates,
  templatesOf,
} from './merge.ts'
import type {
  Metadata,
  ResolvedMetadata,
  ResolvedViewport,
  ResolvingMetadata,
  ResolvingViewport,
  Viewport,
} from './metadata.ts'
import {
  imagesOf,
  type PageImages,
  type SourceImages,
  withImages,
  withoutReplaced,
} from './pageImages.ts'
import { metadataTags } from './tags.ts'

export type MetadataRequest = PageLocation & {
  /**
   * Returns the props for a file's metadata functions. @param index of the file in the route's
   * chain of files
   */
  readonly propsOf: (index: number) => MetadataProps
}

export type ResolvedHead = {
  readonly metadata: ResolvedMetadata
  readonly viewport: ResolvedViewport
  readonly tags: readonly ReactElement[]
}

/**
 * Merges a route's metadata, from the root layout down to the page. The result is synchronous if no
 * file exports a function, and the same object each time if it doesn't depend on the request.
 */
export type ResolveMetadata = (
  chain: readonly MetadataFile[],
  request: MetadataRequest,
) => ResolvedHead | Promise<ResolvedHead>

/**
 * Creates the function that merges a route's metadata.
 * @param manifest URL of the app's web app manifest, for routes that don't set a manifest
 * @param warn writes a line about a value that is left out because a part of it is missing
 */
export function createMetadataResolver(
  manifest: string | null = null,
  warn: (line: string) => void = console.warn,
): ResolveMetadata {
  const reportFor = createIncompleteWarnings(warn)
  const start = manifest === null ? emptyMerge : { ...emptyMerge, metadata: { manifest } }
  // Cache only one entry per page. Clients choose the origin, so more entries could fill up the
  // memory.
  const cache = new WeakMap<MetadataFile, StaticHead>()
  const sourceByFile = new WeakMap<MetadataFile, MetadataSource>()
  const sourceOf = (file: MetadataFile): MetadataSource => {
    const earlier = sourceByFile.get(file)
    if (earlier) return earlier
    const source = completeSource(metadataSourceOf(file), reportFor(file.file))
    sourceByFile.set(file, source)
    return source
  }
  return (chain, request) => {
    const page = chain.at(-1)
    const cached = page && cache.get(page)
    if (cached && isFor(cached, chain, request)) return cached.head
    const sources = chain.map(sourceOf)
    if (!sources.every(isStatic)) return resolveGenerated(sources, request, start)
    const resolved = resolveStatic(sources, request, start)
    if (page) cache.set(page, { ...resolved, chain })
    return resolved.head
  }
}

function isStatic(source: MetadataSource): boolean {
  return !source.generateMetadata && !source.generateViewport && !source.generateImages
}

/**
 * A route's cached metadata. `origin` and `pathname` are `undefined` if the metadata doesn't depend
 * on them.
 */
type StaticHead = {
  readonly chain: readonly MetadataFile[]
  readonly head: ResolvedHead
  readonly origin: string | null | undefined
  readonly pathname: string | undefined
}

function isFor(
  cached: StaticHead,
  chain: readonly MetadataFile[],
  { origin, pathname }: MetadataRequest,
): boolean {
  return (
    (cached.origin === undefined || cached.origin === origin) &&
    (cached.pathname === undefined || cached.pathname === pathname) &&
    cached.chain.length === chain.length &&
    cached.chain.every((file, index) => file === chain[index])
  )
}

function resolveStatic(
  sources: readonly MetadataSource[],
  request: MetadataRequest,
  start: Merge,
): Omit<StaticHead, 'chain'> {
  const used: { origin?: string | null; pathname?: string } = {}
  const page: PageLocation = {
    get origin() {
      used.origin = request.origin
      return request.origin
    },
    get pathname() {
      used.pathname = request.pathname
      return request.pathname
    },
  }
  let merged = start
  let viewport = defaultViewport
  for (const source of sources) {
    merged = mergeSource(merged, source, source, page)
    viewport = mergeViewport(viewport, source.viewport)
  }
  const head = headOf(merged, viewport, page)
  return { head, origin: used.origin, pathname: used.pathname }
}

/**
 * Starts all functions at once. If several of them fail, the outermost error counts, for example a
 * layout's redirect.
 */
async function resolveGenerated(
  sources: readonly MetadataSource[],
  request: MetadataRequest,
  start: Merge,
): Promise<ResolvedHead> {
  let merging: Promise<Merge> = Promise.resolve(start)
  let viewing: ResolvingViewport = Promise.resolve(defaultViewport)
  for (const [index, source] of sources.entries()) {
    const { metadata, generateMetadata, viewport, generateViewport, generateImages } = source
    const props = isStatic(source) ? noProps : request.propsOf(index)
    const above = merging
    const viewAbove = viewing
    const resolvedMetadata = started(async () =>
      generateMetadata
        ? generateMetadata(
            props,
            started(async () => (await above).metadata),
          )
        : metadata,
    )
    const resolvedImages = started(async () =>
      generateImages ? generateImages(props) : source.images,
    )
    const resolvedViewport = started(async () =>
      generateViewport ? generateViewport(props, viewAbove) : viewport,
    )
    merging = started(async () => {
      const merged = await above
      const resolved = { metadata: await resolvedMetadata, images: await resolvedImages }
      return mergeSource(merged, source, resolved, request)
    })
    viewing = started(async () => mergeViewport(await viewAbove, await resolvedViewport))
  }
  return headOf(await merging, await viewing, request)
}

const noProps: MetadataProps = { params: Promise.resolve({}) }

/** Starts a function, and prevents an unhandled rejection if it fails before anybody awaits it. */
function started<T>(run: () => Promise<T>): Promise<T> {
  const result = run()
  result.catch(() => {})
  return result
}

function headOf(merged: Merge, viewport: ResolvedViewport, page: PageLocation): ResolvedHead {
  const metadata = completeSocial(withImages(merged.metadata, merged.images, page))
  return { metadata, viewport, tags: metadataTags(metadata, viewport).map(marked) }
}

type TagProps = { readonly name?: string; readonly property?: string; readonly rel?: string }

/** Marks a tag that a component may replace. */
function marked(tag: ReactElement): ReactElement {
  const { name, property, rel } = tag.props as TagProps
  const kind = headTagKind({ type: String(tag.type), name: name ?? property ?? rel })
  return kind ? cloneElement(tag, { [metadataMark]: '' } as object) : tag
}

type Merge = {
  readonly metadata: ResolvedMetadata
  readonly folder: string | null
  readonly templates: TitleTemplates
  /** Title templates for the folders below. Parallel slots don't change them. */
  readonly handedDown: TitleTemplates
  readonly images: PageImages
}

const noTemplates: TitleTemplates = { title: null, openGraph: null, twitter: null }

const emptyMerge: Merge = {
  metadata: {},
  images: {},
  folder: null,
  templates: noTemplates,
  handedDown: noTemplates,
}

const defaultViewport: ResolvedViewport = { width: 'device-width', initialScale: 1 }

function mergeSource(
  above: Merge,
  { folder, isBeside }: MetadataSource,
  resolved: { readonly metadata?: Metadata | null | undefined } & SourceImages,
  page: PageLocation,
): Merge {
  // A page and the layout in its folder are one segment, so the layout's template doesn't apply.
  const below = isBeside ? templatesOf(above.metadata) : above.handedDown
  const templates = above.folder === folder ? above.templates : below
  const metadata = mergeMetadata(above.metadata, resolved.metadata, { page, templates })
  const images = withoutReplaced(imagesOf(above.images, resolved, folder), resolved.metadata)
  const handedDown = isBeside ? above.handedDown : templatesOf(metadata)
  return { metadata, folder, templates, handedDown, images }
}

export type MetadataFile = {
  readonly file: string
  readonly module: Readonly<Record<string, unknown>>
  readonly isBeside?: boolean
}

export type MetadataProps = {
  readonly params: Promise<Readonly<Record<string, string | readonly string[]>>>
  /** For pages only: the parsed query, or the result of validating it with the page's schema. */
  readonly searchParams?: Promise<unknown>
}

type MetadataExports = {
  readonly metadata?: Metadata | undefined
  readonly viewport?: Viewport | undefined
  readonly generateMetadata?: Generate<Metadata, ResolvingMetadata> | undefined
  readonly generateViewport?: Generate<Viewport, ResolvingViewport> | undefined
}

type MetadataSource = MetadataExports &
  SourceImages & {
    readonly folder: string
    readonly isBeside?: boolean | undefined
  }

type Generate<Value, Parent> = (
  props: MetadataProps,
  parent: Parent,
) => Value | null | undefined | Promise<Value | null | undefined>

/**
 * Reads a file's metadata exports.
 * @throws FrameworkError if a client file exports metadata, or if two exports conflict
 */
export function metadataSourceOf({ file, module, isBeside }: MetadataFile): MetadataSource {
  for (const pair of exportPairs) {
    const names = pair.filter((name) => module[name] !== undefined)
    const name = names.find((name) => isClientReference(module[name]))
    if (name) throw frameworkError('METADATA_IN_CLIENT_FILE', { file, name })
    if (names.length > 1) throw frameworkError('METADATA_TWICE', { file, names })
  }
  // The fields are checked when they are used, so cast the exports.
  const { metadata, generateMetadata, viewport, generateViewport } = module as MetadataExports
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0))
  if (imageFileOf(file)) return { folder, isBeside, ...(module as SourceImages) }
  return { folder, isBeside, metadata, generateMetadata, viewport, generateViewport }
}

/** Leaves out incomplete values, both of a file's exports and of its functions' results. */
function completeSource(source: MetadataSource, report: ReportIncomplete): MetadataSource {
  const { metadata, generateMetadata, viewport, generateViewport } = source
  return {
    ...source,
    metadata: metadata && completeMetadata(metadata, report),
    generateMetadata:
      generateMetadata &&
      (async (props, parent) => {
        const generated = await generateMetadata(props, parent)
        return generated && completeMetadata(generated, report)
      }),
    viewport: viewport && completeViewport(viewport, report),
    generateViewport:
      generateViewport &&
      (async (props, parent) => {
        const generated = await generateViewport(props, parent)
        return generated && completeViewport(generated, report)
      }),
  }
}

const exportPairs = [
  ['metadata', 'generateMetadata'],
  ['viewport', 'generateViewport'],
] as const
