import {
  fileCacheControl,
  forOneClientIfPersonal,
  overrideLines,
} from '../../builds/cacheControl.ts'
import { cacheStatusHeader, type PrerenderedFile } from '../../builds/cachedPage.ts'
import type { Validators } from '../../http/conditionalRequest.ts'
import { codings, type Encoding } from '../../http/contentCoding.ts'
import {
  type BodyVariant,
  type CachedResponse,
  type HeaderLines,
  withDefaultLines,
} from '../../http/response.ts'
import { storedResponseLines } from '../../http/storedResponse.ts'
import { contentTypeOf, isCompressible } from './mediaTypes.ts'

export type StaticFile = {
  /**
   * For a page, the handler responds to methods other than GET and HEAD; for a file, they are
   * refused.
   */
  readonly kind: 'file' | 'page'
  readonly status: number
  readonly headers: HeaderLines
  /**
   * Names of request headers, in lower case. If a request has one of them, the handler must
   * respond.
   */
  readonly handlerOnHeaders: readonly string[]
  /** The file in each encoding, uncompressed first. */
  readonly renditions: readonly [Rendition, ...Rendition[]]
}

export type Rendition = {
  readonly encoding: Encoding
  readonly path: string
  source: Source | null
}

export type Source = {
  readonly status: number
  readonly validators: Validators
  /** Raw lines (name, value, name, value) of the full response. */
  readonly fullHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  /** Content of the file; `null` if it is read from disk each time. */
  readonly bytes: Buffer | null
  /** A copy of this source with its most recent `age`. */
  aged: { readonly seconds: number; readonly source: Source } | null
}

/**
 * Creates the entry for a file.
 * @param options `headers` are the app's default header lines. `exists` tells if a compressed file
 * exists
 */
export function createFileEntry(
  pathname: string,
  path: string,
  options: { readonly headers: HeaderLines; readonly exists: (path: string) => boolean },
): StaticFile {
  const contentType = contentTypeOf(path)
  const lines: HeaderLines = [
    ['content-type', contentType],
    ['cache-control', fileCacheControl(pathname)],
  ]
  // Use compressed files only for compressible types. Next to any other file, a `.gz` is a separate
  // download, such as a tar archive.
  const renditions = renditionsOf(path, isCompressible(contentType) ? options.exists : () => false)
  const headers = withDefaultLines(lines, options.headers)
  return { kind: 'file', status: 200, headers, handlerOnHeaders: [], renditions }
}

export function createPageEntry(
  { status, headers, handlerOnHeaders = [] }: PrerenderedFile,
  path: string,
  exists: (path: string) => boolean,
): StaticFile {
  return {
    kind: 'page',
    status,
    headers: [...headers, [cacheStatusHeader, 'hit']],
    handlerOnHeaders: handlerOnHeaders.map((name) => name.toLowerCase()),
    renditions: renditionsOf(path, exists),
  }
}

export function createCachedEntry(
  { status, handlerOnHeaders, bodies }: CachedResponse,
  headers: HeaderLines,
): StaticFile {
  const lines = forOneClientIfPersonal(headers).filter(([, value]) => value !== '')
  const [plain, ...coded] = bodies
  const renditions: StaticFile['renditions'] = [inMemory(plain), ...coded.map(inMemory)]
  const file: StaticFile = { kind: 'page', status, headers: lines, handlerOnHeaders, renditions }
  for (const [index, rendition] of renditions.entries()) {
    const { etag, bytes } = bodies[index] as BodyVariant
    const validators = { etag, modifiedAtMs: Number.NaN, size: bytes.byteLength }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    rendition.source = createSource(file, rendition.encoding, { validators, bytes: buffer })
  }
  return file
}

export function createSource(
  { kind, status, headers, renditions }: StaticFile,
  encoding: Encoding,
  { validators, bytes }: Pick<Source, 'validators' | 'bytes'>,
): Source {
  const { full, notModified } = storedResponseLines({
    status,
    headers,
    encoding,
    hasVariants: renditions.length > 1,
    validators,
    isDated: kind === 'file',
  })
  return {
    status,
    validators,
    fullHeaders: full,
    notModifiedHeaders: notModified,
    bytes,
    aged: null,
  }
}

/** Adds an `age` header. Computed at most once per second for each source. */
export function withAge(source: Source, seconds: number): Source {
  if (source.aged?.seconds !== seconds) {
    source.aged = { seconds, source: withHeaders(source, [['age', String(seconds)]]) }
  }
  return source.aged.source
}

/**
 * Overrides a source's header lines. If one of the added lines sets a cookie, no shared cache may
 * store the response.
 */
export function withHeaders(source: Source, added: HeaderLines): Source {
  if (added.length === 0) return source
  const over = forOneClientIfPersonal(added)
  return {
    ...source,
    aged: null,
    fullHeaders: overrideLines(source.fullHeaders, over),
    notModifiedHeaders: overrideLines(source.notModifiedHeaders, over),
  }
}

function inMemory({ encoding }: BodyVariant): Rendition {
  return { encoding, path: '', source: null }
}

function renditionsOf(path: string, exists: (path: string) => boolean): StaticFile['renditions'] {
  const siblings = codings
    .map(({ encoding, suffix }) => ({ encoding, path: path + suffix, source: null }))
    .filter((sibling) => exists(sibling.path))
  return [{ encoding: 'identity', path, source: null }, ...siblings]
}
