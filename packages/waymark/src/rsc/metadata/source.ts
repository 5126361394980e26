import { frameworkError } from '../../shared/errors.ts'
import type {
  Metadata,
  ResolvingMetadata,
  ResolvingViewport,
  Viewport,
} from '../../shared/metadata.ts'
import { isClientReference } from '../page/clientReference.ts'

/** A loaded layout or page, as far as metadata goes. */
export type MetadataFile = {
  /** Below the app folder: `blog/layout.tsx`. */
  readonly file: string
  readonly module: Readonly<Record<string, unknown>>
}

/** What `generateMetadata` and `generateViewport` get: the props of their layout or page. */
export type MetadataProps = {
  readonly params: Promise<Readonly<Record<string, string | readonly string[]>>>
  /** Pages only: the query, or what the page's schema makes of it. */
  readonly searchParams?: Promise<unknown>
}

/** The exports of a layout or page that describe the document. */
export type MetadataSource = {
  /** Where the file stands: a title template is for the folders below its own. */
  readonly folder: string
  readonly metadata?: Metadata | undefined
  readonly viewport?: Viewport | undefined
  readonly generateMetadata?: Generate<Metadata, ResolvingMetadata> | undefined
  readonly generateViewport?: Generate<Viewport, ResolvingViewport> | undefined
}

type Generate<Value, Parent> = (
  props: MetadataProps,
  parent: Parent,
) => Value | null | undefined | Promise<Value | null | undefined>

/**
 * Reads the exports of a layout or page.
 * @throws FrameworkError when a client file has them, or a file has two for one thing
 */
export function metadataSourceOf({ file, module }: MetadataFile): MetadataSource {
  for (const names of exportPairs) {
    const set = names.filter((name) => module[name] !== undefined)
    for (const name of set) {
      if (isClientReference(module[name]))
        throw frameworkError('METADATA_IN_CLIENT_FILE', { file, name })
    }
    if (set.length > 1) throw frameworkError('METADATA_TWICE', { file, names: set })
  }
  // The app's own exports: their fields are checked where they are used.
  const { metadata, generateMetadata, viewport, generateViewport } = module as MetadataExports
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0))
  return { folder, metadata, generateMetadata, viewport, generateViewport }
}

type MetadataExports = Omit<MetadataSource, 'folder'>

const exportPairs = [
  ['metadata', 'generateMetadata'],
  ['viewport', 'generateViewport'],
] as const
