import { fileCacheControl, privateNoStore, withoutCaching } from '../../shared/cacheControl.ts'
import { cacheStatusHeader, type PrerenderedFile } from '../../shared/cachedPage.ts'
import {
  type BodyVariant,
  type CachedResponse,
  type HeaderLines,
  setsCookie,
  withDefaultLines,
} from '../../shared/response.ts'
import { codings, contentTypeOf, type Encoding, isCompressible } from './mediaTypes.ts'

export type StaticFile = {
  /** Only a page leaves methods other than GET and HEAD to the handler. */
  readonly kind: 'file' | 'page'
  readonly status: number
  readonly headers: HeaderLines
  /** A request with one of these headers goes to the handler; lower case. */
  readonly handlerOnHeaders: readonly string[]
  /** Uncompressed first. */
  readonly renditions: readonly Rendition[]
}

export type Rendition = {
  readonly encoding: Encoding
  readonly path: string
  source: Source | null
}

export type Validators = {
  /** Strong, with its quotation marks. */
  readonly etag: string
  readonly modifiedAtMs: number
  readonly size: number
}

export type Source = {
  readonly status: number
  readonly validators: Validators
  /** Raw lines (name, value, name, value) of the full response. */
  readonly fullHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  /** `null` for a file that is read from disk each time. */
  readonly bytes: Buffer | null
  /** This source with its latest `age`. */
  aged: { readonly seconds: number; readonly source: Source } | null
}

// RFC 9110 §15.4.5: a 304 repeats these headers of the 200.
const notModifiedNames: ReadonlySet<string> = new Set([
  'cache-control',
  'content-location',
  'date',
  'expires',
  'vary',
])

/** @param options `headers`: default lines of the app; `exists`: finds compressed siblings */
export function createFileEntry(
  pathname: string,
  path: string,
  options: { readonly headers: HeaderLines; readonly exists: (path: string) => boolean },
): StaticFile {
  const contentType = contentTypeOf(path)
  const own: HeaderLines = [
    ['content-type', contentType],
    ['cache-control', fileCacheControl(pathname)],
  ]
  // A `.gz` beside an incompressible type is a download of its own, such as a tar.
  const renditions = renditionsOf(path, isCompressible(contentType) ? options.exists : () => false)
  const headers = withDefaultLines(own, options.headers)
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
  const renditions = bodies.map(({ encoding }): Rendition => ({ encoding, path: '', source: null }))
  const file: StaticFile = { kind: 'page', status, headers: lines, handlerOnHeaders, renditions }
  for (const [index, rendition] of renditions.entries()) {
    const { etag, bytes } = bodies[index] as BodyVariant
    const validators = { etag, modifiedAtMs: 0, size: bytes.byteLength }
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
  const lines: HeaderLines = [...headers]
  if (renditions.length > 1) lines.push(['vary', 'accept-encoding'])
  const stable = lines.filter(([name]) => notModifiedNames.has(name.toLowerCase()))
  if (encoding !== 'identity') lines.push(['content-encoding', encoding])
  if (status === 200) {
    const etag: [string, string] = ['etag', validators.etag]
    stable.push(etag)
    lines.push(etag, ['accept-ranges', 'bytes'])
  }
  if (kind === 'file') {
    lines.push(['last-modified', new Date(validators.modifiedAtMs).toUTCString()])
  }
  lines.push(['content-length', String(validators.size)])
  const raw = { fullHeaders: lines.flat(), notModifiedHeaders: stable.flat() }
  return { status, validators, ...raw, bytes, aged: null }
}

/** Computed once a second, however often the source is sent. */
export function withAge(source: Source, seconds: number): Source {
  if (source.aged?.seconds !== seconds) {
    source.aged = { seconds, source: withHeaders(source, [['age', String(seconds)]]) }
  }
  return source.aged.source
}

/** Overrides header lines. What sets a cookie is for one client: no cache may store it. */
export function withHeaders(source: Source, added: HeaderLines): Source {
  if (added.length === 0) return source
  const over = forOneClientIfPersonal(added)
  return {
    ...source,
    aged: null,
    fullHeaders: putOver(source.fullHeaders, over),
    notModifiedHeaders: putOver(source.notModifiedHeaders, over),
  }
}

// An empty value removes the page's lines for CDNs.
const forOneClient: HeaderLines = [...privateNoStore, ['cdn-cache-control', '']]

function forOneClientIfPersonal(headers: HeaderLines): HeaderLines {
  return setsCookie(headers) ? [...withoutCaching(headers), ...forOneClient] : headers
}

const listHeaders: ReadonlySet<string> = new Set(['set-cookie', 'vary', 'link'])

function putOver(raw: readonly string[], over: HeaderLines): string[] {
  const replaced = new Set(over.map(([name]) => name.toLowerCase()))
  const rest: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (listHeaders.has(lower) || !replaced.has(lower)) rest.push(name, value)
  }
  // The last line must stay content-length.
  return [...over.filter(([, value]) => value !== '').flat(), ...rest]
}

function renditionsOf(path: string, exists: (path: string) => boolean): Rendition[] {
  const siblings = codings
    .map(({ encoding, suffix }) => ({ encoding, path: path + suffix, source: null }))
    .filter((sibling) => exists(sibling.path))
  return [{ encoding: 'identity', path, source: null }, ...siblings]
}
