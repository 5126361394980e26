import type { ReactElement } from 'react'
import { imageFileOf } from '../../routing/imageFile.ts'
import { isClientReference } from '../../shared/clientReference.ts'
import { frameworkError } from '../../shared/errors.ts'
import type {
  Metadata,
  ResolvedMetadata,
  ResolvedViewport,
  ResolvingMetadata,
  ResolvingViewport,
  Viewport,
} from '../../shared/metadata.ts'
import { mergeMetadata, mergeViewport, type PageLocation, templatesOf } from './merge.ts'
import {
  imagesOf,
  type PageImages,
  type SourceImages,
  withImages,
  withoutOwn,
} from './pageImages.ts'
import { completeSocial, type TitleTemplates } from './social.ts'
import { metadataTags } from './tags.ts'

/** What a request brings to the metadata of its route. */
export type MetadataRequest = PageLocation & {
  /** The props for a file, by its place in the chain; read only when it has a function. */
  readonly propsOf: (index: number) => MetadataProps
}

/** What a route says about its document. */
export type ResolvedHead = {
  readonly metadata: ResolvedMetadata
  readonly viewport: ResolvedViewport
  /** The same as elements, to be rendered anywhere in the document. */
  readonly tags: readonly ReactElement[]
}

/**
 * Merges the metadata of a route.
 * @param chain the loaded layouts from the root down, then the page
 * @returns at once when no file has a function, and then the same object again as long as the
 *   request makes no difference; else a promise, which rejects with what a function threw, be
 *   it a failure or a signal
 * @throws FrameworkError at once, when a file's exports can't be used
 */
export type ResolveMetadata = (
  chain: readonly MetadataFile[],
  request: MetadataRequest,
) => ResolvedHead | Promise<ResolvedHead>

/**
 * Creates a `ResolveMetadata` that caches the heads of static routes, one for each.
 * @param manifest the URL of the app's web app manifest, for routes that name none
 */
export function createMetadataResolver(manifest: string | null = null): ResolveMetadata {
  const start = manifest === null ? emptyMerge : { ...emptyMerge, metadata: { manifest } }
  // One for each page: the origin comes from the client, and many must not fill the memory.
  const cache = new WeakMap<MetadataFile, StaticHead>()
  return (chain, request) => {
    const page = chain.at(-1)
    const cached = page && cache.get(page)
    if (cached && isFor(cached, chain, request)) return cached.head
    const sources = chain.map(metadataSourceOf)
    if (!sources.every(isStatic)) return resolveGenerated(sources, request, start)
    const resolved = resolveStatic(sources, request, start)
    if (page) cache.set(page, { ...resolved, chain })
    return resolved.head
  }
}

function isStatic(source: MetadataSource): boolean {
  return !source.generateMetadata && !source.generateViewport && !source.generateImages
}

/** A merged static chain; `undefined` where the request made no difference. */
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
 * Starts all functions at once. They are then taken from the root down: when several throw,
 * the outermost wins, so that a layout's redirect to the login is never overtaken by what a
 * page below has to say.
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
    const own = started(async () =>
      generateMetadata
        ? generateMetadata(
            props,
            started(async () => (await above).metadata),
          )
        : metadata,
    )
    const ownImages = started(async () => (generateImages ? generateImages(props) : source.images))
    const ownView = started(async () =>
      generateViewport ? generateViewport(props, viewAbove) : viewport,
    )
    merging = started(async () => {
      const merged = await above
      const said = { metadata: await own, images: await ownImages }
      return mergeSource(merged, source, said, request)
    })
    viewing = started(async () => mergeViewport(await viewAbove, await ownView))
  }
  return headOf(await merging, await viewing, request)
}

const noProps: MetadataProps = { params: Promise.resolve({}) }

/** Runs an async function; its failure is for those who await it, not for the process. */
function started<T>(run: () => Promise<T>): Promise<T> {
  const result = run()
  // Only marks it as handled: those who await it still get the rejection.
  result.catch(() => {})
  return result
}

function headOf(merged: Merge, viewport: ResolvedViewport, page: PageLocation): ResolvedHead {
  const metadata = completeSocial(withImages(merged.metadata, merged.images, page))
  return { metadata, viewport, tags: metadataTags(metadata, viewport) }
}

/** What is merged so far, with the templates that held in the last folder. */
type Merge = {
  readonly metadata: ResolvedMetadata
  readonly folder: string | null
  readonly templates: TitleTemplates
  /** What the main line hands down to the folders below: slots beside it change nothing of that. */
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
  own: { readonly metadata?: Metadata | null | undefined } & SourceImages,
  page: PageLocation,
): Merge {
  // A page and the layout beside it are one segment, which no template of its own touches.
  const below = isBeside ? templatesOf(above.metadata) : above.handedDown
  const templates = above.folder === folder ? above.templates : below
  const metadata = mergeMetadata(above.metadata, own.metadata, { page, templates })
  const images = withoutOwn(imagesOf(above.images, own, folder), own.metadata)
  const handedDown = isBeside ? above.handedDown : templatesOf(metadata)
  return { metadata, folder, templates, handedDown, images }
}

/** A loaded layout or page, as far as metadata goes. */
export type MetadataFile = {
  /** Below the app folder: `blog/layout.tsx`. */
  readonly file: string
  readonly module: Readonly<Record<string, unknown>>
  /** Of a slot beside the main line. */
  readonly isBeside?: boolean
}

/** What `generateMetadata` and `generateViewport` get: the props of their layout or page. */
export type MetadataProps = {
  readonly params: Promise<Readonly<Record<string, string | readonly string[]>>>
  /** Pages only: the query, or what the page's schema makes of it. */
  readonly searchParams?: Promise<unknown>
}

/** The exports of a layout or page that describe the document. */
type MetadataExports = {
  readonly metadata?: Metadata | undefined
  readonly viewport?: Viewport | undefined
  readonly generateMetadata?: Generate<Metadata, ResolvingMetadata> | undefined
  readonly generateViewport?: Generate<Viewport, ResolvingViewport> | undefined
}

type MetadataSource = MetadataExports &
  SourceImages & {
    /** Where the file stands: a title template is for the folders below its own. */
    readonly folder: string
    readonly isBeside?: boolean | undefined
  }

type Generate<Value, Parent> = (
  props: MetadataProps,
  parent: Parent,
) => Value | null | undefined | Promise<Value | null | undefined>

/**
 * Reads the exports of a layout or page.
 * @throws FrameworkError when a client file has them, or a file has two for one thing
 */
export function metadataSourceOf({ file, module, isBeside }: MetadataFile): MetadataSource {
  for (const pair of exportPairs) {
    const names = pair.filter((name) => module[name] !== undefined)
    const name = names.find((name) => isClientReference(module[name]))
    if (name) throw frameworkError('METADATA_IN_CLIENT_FILE', { file, name })
    if (names.length > 1) throw frameworkError('METADATA_TWICE', { file, names })
  }
  // The app's own exports: their fields are checked where they are used.
  const { metadata, generateMetadata, viewport, generateViewport } = module as MetadataExports
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0))
  if (imageFileOf(file)) return { folder, isBeside, ...(module as SourceImages) }
  return { folder, isBeside, metadata, generateMetadata, viewport, generateViewport }
}

const exportPairs = [
  ['metadata', 'generateMetadata'],
  ['viewport', 'generateViewport'],
] as const
