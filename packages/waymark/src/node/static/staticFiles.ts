import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, extname, join } from 'node:path'
import {
  type BuiltPages,
  builtNotFound,
  cacheStatusHeader,
  draftCookie,
  type FindCached,
  type PageCacheResponse,
  type PrerenderedFile,
  type PrerenderedManifest,
} from '../../builds/cachedPage.ts'
import { canonicalPathname, encodePathname } from '../../http/pathnames.ts'
import type { CachedResponse, HandlerResponse, HeaderLines } from '../../http/response.ts'
import { memoized } from '../../shared/maps.ts'
import { isThenable } from '../../shared/promises.ts'
import { assetsPrefix, internalPrefix } from '../../wire/protocol.ts'
import { refuse } from '../refuse.ts'
import { createFindBuilt, listFiles, readPrerenderedManifest } from './manifest.ts'
import { createStaticSender, type StaticSenderOptions } from './sendFile.ts'
import { createFindStored, isAssetName, type StoredAssets } from './sharedAssets.ts'
import {
  createCachedEntry,
  createFileEntry,
  createPageEntry,
  type StaticFile,
} from './staticFile.ts'

/** Sources and memory limits of static files. */
export type StaticFilesOptions = StaticSenderOptions & {
  /** Folders served at `/`. If several contain a file, the first folder wins. */
  readonly dirs: readonly string[]
  /**
   * Default header lines, in lower case. A file's own line wins. Pass the built server's
   * `defaultHeaders`. Default: `x-content-type-options`.
   */
  readonly headers?: HeaderLines
  /**
   * Returns true for files that need the handler, because proxy.ts runs for them. Default: no
   * files.
   */
  readonly isProxied?: ((pathname: string) => boolean) | undefined
  /** Path of the build's `prerendered.json`, which may be missing. */
  readonly prerendered?: string
  /** Folder in which servers of several builds share hashed assets. */
  readonly sharedAssets?: string | undefined
  /** Store with other builds' assets, for servers that don't share a folder. */
  readonly storedAssets?: StoredAssets | undefined
  /** Finds cached and prerendered pages. Without this function, prerendered pages never expire. */
  readonly findCached?: FindCached
}

/** Responds to requests for files and prerendered pages. */
export type StaticFiles = BuiltPages & {
  /** Responds to a request. @returns false if the handler must respond */
  serve(req: IncomingMessage, res: ServerResponse): boolean
  /** Sends the prerendered or cached page to which a response refers. @returns false if it refers to neither */
  writeCached(req: IncomingMessage, res: ServerResponse, response: HandlerResponse): boolean
  cachedBytes(): number
}

/**
 * Lists a build's static files and pages. A file is read on its first request, and small files stay
 * in memory.
 * @throws if a folder or the manifest can't be read
 */
export function loadStaticFiles(options: StaticFilesOptions): StaticFiles {
  const { dirs, headers = noSniffing, prerendered = '', findCached } = options
  const files = new Map<string, StaticFile>()
  for (const dir of dirs) addFolder(files, dir, headers)
  const proxied = listProxied(files, options)
  const manifest = readPrerenderedManifest(prerendered)
  const notFound = addPrerendered(files, manifest, dirname(prerendered))
  const { send, cachedBytes } = createStaticSender(options)
  const asBuilt: PageCacheResponse = { response: 'built', ageSeconds: null }
  const findStored = createFindStored({ storedAssets: options.storedAssets, headers })

  function findFor(req: IncomingMessage): PageCacheResponse | null {
    if (req.headers.cookie?.includes(draftCookie)) return null
    return findCached ? findCached(req.url ?? '/') : asBuilt
  }

  return {
    findBuilt: createFindBuilt(manifest, prerendered),
    cachedBytes,
    hasNotFound: notFound !== null,
    hasFile: (pathname) => files.get(pathname)?.kind === 'file',
    serve(req, res) {
      const target = req.url ?? '/'
      const named = files.get(target)
      // Looking up a page needs no parsing, because it uses the target as it was sent.
      const pageResponse = named?.kind === 'file' ? null : findFor(req)
      const file =
        prepare(pageResponse) ??
        named ??
        findByPath(files, target) ??
        findShared(files, target, options)
      if (file === undefined) return respondStored(req, res, { findStored, send })
      if (proxied.has(file)) return false
      const isPage = file.kind === 'page'
      const isOurs = mayRespond(file, req)
      if (isPage && (pageResponse === null || !isOurs)) return false
      if (isOurs) send(req, res, file, pageResponse ?? undefined)
      else refuse(res, 405, ['allow', 'GET, HEAD'])
      return true
    },
    writeCached(req, res, { prerendered: name, cached, headers }) {
      if (cached) {
        send(req, res, createCachedEntry(cached, headers))
        return true
      }
      if (name === undefined) return false
      const file = name === builtNotFound ? notFound : (files.get(name) ?? findByPath(files, name))
      if (file) send(req, res, file, { added: headers })
      return Boolean(file)
    },
  }
}

const hitEntry = memoized((response: CachedResponse) =>
  createCachedEntry(response, [...response.headers, [cacheStatusHeader, 'hit']]),
)

function prepare(pageResponse: PageCacheResponse | null): StaticFile | undefined {
  return pageResponse === null || pageResponse.response === 'built'
    ? undefined
    : hitEntry(pageResponse.response)
}

function addFolder(files: Map<string, StaticFile>, folder: string, headers: HeaderLines): void {
  const names = listFiles(folder)
  const paths = new Set(names.map((name) => join(folder, name)))
  const exists = (path: string) => paths.has(path)
  for (const name of names) {
    const pathname = encodePathname(`/${name}`)
    if (files.has(pathname)) continue
    files.set(pathname, createFileEntry(pathname, join(folder, name), { headers, exists }))
  }
}

/** Lists the files that need the handler. Files that the build has created never do. */
function listProxied(
  files: Map<string, StaticFile>,
  { isProxied = () => false }: StaticFilesOptions,
): ReadonlySet<StaticFile> {
  const proxied = new Set<StaticFile>()
  for (const [pathname, file] of files) {
    if (pathname.startsWith(internalPrefix) || !isProxied(pathname)) continue
    proxied.add(file)
    // proxy.ts might not run for the compressed file's URL, so remove that URL.
    for (const { path } of file.renditions.slice(1)) files.delete(pathname + extname(path))
  }
  return proxied
}

const noSniffing: HeaderLines = [['x-content-type-options', 'nosniff']]

/** Adds prerendered pages. @returns the document for URLs without a route, if there is one */
function addPrerendered(
  files: Map<string, StaticFile>,
  { files: prerendered, notFound }: PrerenderedManifest,
  folder: string,
): StaticFile | null {
  const all = [...Object.values(prerendered), ...(notFound ? [notFound] : [])]
  const folders = new Set(all.map(({ file }) => dirname(join(folder, file))))
  const paths = new Set(
    [...folders].flatMap((each) => listFiles(each).map((name) => join(each, name))),
  )
  const create = (file: PrerenderedFile) =>
    createPageEntry(file, join(folder, file.file), (sibling) => paths.has(sibling))
  for (const [pathname, file] of Object.entries(prerendered)) {
    const canonical = canonicalPathname(pathname)
    if (canonical !== null && !files.has(canonical)) files.set(canonical, create(file))
  }
  return notFound && create(notFound)
}

function findByPath(files: Map<string, StaticFile>, target: string): StaticFile | undefined {
  const pathname = canonicalPathname(target)
  return pathname === null || pathname === target ? undefined : files.get(pathname)
}

function findShared(
  files: Map<string, StaticFile>,
  target: string,
  { sharedAssets: folder, headers = [] }: StaticFilesOptions,
): StaticFile | undefined {
  if (folder === undefined || !target.startsWith(assetsPrefix)) return undefined
  const [pathname = ''] = target.split('?', 1)
  const path = join(folder, pathname)
  if (!isAssetName(pathname.slice(assetsPrefix.length)) || !existsSync(path)) return
  const file = createFileEntry(pathname, path, { headers, exists: existsSync })
  files.set(pathname, file)
  return file
}

function respondStored(
  req: IncomingMessage,
  res: ServerResponse,
  tools: {
    readonly findStored: ReturnType<typeof createFindStored>
    readonly send: ReturnType<typeof createStaticSender>['send']
  },
): boolean {
  const { findStored, send } = tools
  const target = req.url ?? '/'
  const pathname = canonicalPathname(target) ?? target
  if (!pathname.startsWith(assetsPrefix)) return false
  const respond = (file: StaticFile | null) => {
    // A page in place of a script or stylesheet would cause a confusing error, so respond with a
    // plain 404.
    if (file === null) refuse(res, 404)
    else if (mayRespond(file, req)) send(req, res, file)
    else refuse(res, 405, ['allow', 'GET, HEAD'])
  }
  const asset = findStored(pathname)
  if (isThenable(asset)) asset.then(respond, () => refuse(res, 404)).catch(() => res.destroy())
  else respond(asset)
  return true
}

function mayRespond({ handlerOnHeaders }: StaticFile, req: IncomingMessage): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return !handlerOnHeaders.some((name) => req.headers[name] !== undefined)
}
