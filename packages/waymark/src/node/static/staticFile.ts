import { privateNoStore } from '../../shared/cacheControl.ts'
import { cacheStatusHeader, type PrerenderedFile } from '../../shared/cachedPage.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { CachedResponse, HeaderLines } from '../../shared/response.ts'
import { withDefaultLines } from '../../shared/security.ts'
import type { Validators } from './conditions.ts'
import { codings, contentTypeOf, type Encoding, isCompressible } from './mediaTypes.ts'

/** What one URL answers from a file, in one or several codings. */
export type StaticFile = {
  /** A page leaves other methods than GET and HEAD to the handler (actions); a file refuses them. */
  readonly kind: 'file' | 'page'
  readonly status: number
  /** The same for every coding. */
  readonly headers: HeaderLines
  /** A request that carries one of them is for the handler; lower case. */
  readonly handlerOnHeaders: readonly string[]
  /** The identity first. */
  renditions: readonly Rendition[]
}

/** A file in one coding; `kept` once its bytes are in memory. */
export type Rendition = {
  readonly entry: StaticFile
  readonly encoding: Encoding
  readonly path: string
  kept: Source | null
}

/** One rendition, ready to be sent. */
export type Source = {
  readonly status: number
  readonly validators: Validators
  /** Raw lines (name, value, name, value) of the full answer. */
  readonly fullHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  /** `null` when it is read from disk each time. */
  readonly bytes: Buffer | null
  /** With its age as it was told last. */
  aged: { readonly seconds: number; readonly source: Source } | null
}

/** The header line by which hashed assets are kept by browsers for good. */
const immutable = 'public, max-age=31536000, immutable'
const revalidated = 'public, max-age=0, must-revalidate'

// RFC 9110 §15.4.5: a 304 repeats these of the 200's headers.
const notModifiedNames: ReadonlySet<string> = new Set([
  'cache-control',
  'content-location',
  'date',
  'expires',
  'vary',
])

/**
 * Describes a file of the client's folder.
 * @param pathname of its URL
 * @param options `headers` that every answer of the app has; `exists` tells of the precompressed
 *   siblings
 */
export function createFileEntry(
  pathname: string,
  path: string,
  options: { readonly headers: HeaderLines; readonly exists: (path: string) => boolean },
): StaticFile {
  const { exists } = options
  const contentType = contentTypeOf(path)
  const own: HeaderLines = [
    ['content-type', contentType],
    ['cache-control', pathname.startsWith(assetsPrefix) ? immutable : revalidated],
  ]
  const headers = withDefaultLines(own, options.headers)
  const entry: StaticFile = {
    kind: 'file',
    status: 200,
    headers,
    handlerOnHeaders: [],
    renditions: [],
  }
  // A `.gz` beside a type that nobody precompresses is a download of its own, such as a tar.
  return withRenditions(entry, path, isCompressible(contentType) ? exists : () => false)
}

/**
 * Describes a prerendered answer.
 * @param path of its body
 */
export function createPageEntry(
  file: PrerenderedFile,
  path: string,
  exists: (path: string) => boolean,
): StaticFile {
  const handlerOnHeaders = (file.handlerOnHeaders ?? []).map((name) => name.toLowerCase())
  const { status } = file
  const headers: HeaderLines = [...file.headers, [cacheStatusHeader, 'hit']]
  const entry: StaticFile = { kind: 'page', status, headers, handlerOnHeaders, renditions: [] }
  return withRenditions(entry, path, exists)
}

/**
 * Describes an answer that is kept in memory.
 * @param headers of this answer, in place of its own
 */
export function createCachedEntry(kept: CachedResponse, headers: HeaderLines): StaticFile {
  const { status, handlerOnHeaders, bodies } = kept
  const personal = isPersonal(headers) ? putLinesOver(headers, forOneClient) : headers
  const lines = personal.filter(([, value]) => value !== '')
  const entry: StaticFile = {
    kind: 'page',
    status,
    headers: lines,
    handlerOnHeaders,
    renditions: [],
  }
  const renditions = bodies.map(({ encoding }): Rendition => {
    return { entry, encoding, path: '', kept: null }
  })
  entry.renditions = renditions
  for (const [index, { etag, bytes }] of bodies.entries()) {
    const rendition = renditions[index] as Rendition
    const validators = { etag, modifiedAtMs: 0, size: bytes.byteLength }
    rendition.kept = createSource(
      rendition,
      validators,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    )
  }
  return entry
}

/**
 * Prepares the headers of a rendition's answers.
 * @param bytes `null` for what is not kept
 */
export function createSource(
  { entry, encoding }: Rendition,
  validators: Validators,
  bytes: Buffer | null,
): Source {
  const lines: HeaderLines = [...entry.headers]
  if (entry.renditions.length > 1) lines.push(['vary', 'accept-encoding'])
  const stable = lines.filter(([name]) => notModifiedNames.has(name.toLowerCase()))
  if (encoding !== 'identity') lines.push(['content-encoding', encoding])
  if (entry.status === 200) {
    const etag: [string, string] = ['etag', validators.etag]
    stable.push(etag)
    lines.push(etag, ['accept-ranges', 'bytes'])
  }
  if (entry.kind === 'file') {
    lines.push(['last-modified', new Date(validators.modifiedAtMs).toUTCString()])
  }
  lines.push(['content-length', String(validators.size)])
  return {
    status: entry.status,
    validators,
    fullHeaders: lines.flat(),
    notModifiedHeaders: stable.flat(),
    bytes,
    aged: null,
  }
}

/** Tells a source's age: prepared once a second, however often it is sent. */
export function withAge(source: Source, seconds: number): Source {
  if (source.aged?.seconds !== seconds) {
    source.aged = { seconds, source: withHeaders(source, [['age', String(seconds)]]) }
  }
  return source.aged.source
}

/**
 * Puts header lines over those of a source: the same names give way, lists grow. An answer that
 * sets a cookie is for one client, so nobody may keep it.
 */
export function withHeaders(source: Source, added: HeaderLines): Source {
  if (added.length === 0) return source
  const over = isPersonal(added) ? putLinesOver(added, forOneClient) : added
  return {
    ...source,
    aged: null,
    fullHeaders: putOver(source.fullHeaders, over),
    notModifiedHeaders: putOver(source.notModifiedHeaders, over),
  }
}

// An empty value takes away what a CDN was told of the page as it is for all.
const forOneClient: HeaderLines = [...privateNoStore, ['cdn-cache-control', '']]

function isPersonal(headers: HeaderLines): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'set-cookie')
}

function putLinesOver(headers: HeaderLines, over: HeaderLines): HeaderLines {
  const replaced = new Set(over.map(([name]) => name))
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...over]
}

const listHeaders: ReadonlySet<string> = new Set(['set-cookie', 'vary', 'link'])

function putOver(raw: readonly string[], over: HeaderLines): string[] {
  const replaced = new Set(over.map(([name]) => name.toLowerCase()))
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (listHeaders.has(lower) || !replaced.has(lower)) kept.push(name, value)
  }
  // Before the rest: the last line of a full answer stays its content-length.
  return [...over.filter(([, value]) => value !== '').flat(), ...kept]
}

function withRenditions(
  entry: StaticFile,
  path: string,
  exists: (path: string) => boolean,
): StaticFile {
  const renditions: Rendition[] = [{ entry, encoding: 'identity', path, kept: null }]
  for (const { encoding, suffix } of codings) {
    const sibling = path + suffix
    if (exists(sibling)) renditions.push({ entry, encoding, path: sibling, kept: null })
  }
  entry.renditions = renditions
  return entry
}
