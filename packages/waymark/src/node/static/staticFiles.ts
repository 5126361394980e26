import { existsSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import {
  type BuiltPages,
  builtNotFound,
  cacheStatusHeader,
  draftCookie,
  type FindCached,
  type FoundResponse,
  type PrerenderedFile,
} from '../../shared/cachedPage.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { CachedResponse, HandlerResponse, HeaderLines } from '../../shared/response.ts'
import { refuse } from '../refuse.ts'
import {
  canonicalPathname,
  createFindBuilt,
  encodePathname,
  listFiles,
  readPrerenderedManifest,
} from './manifest.ts'
import { createStaticSender } from './sendFile.ts'
import {
  createCachedEntry,
  createFileEntry,
  createPageEntry,
  type StaticFile,
} from './staticFile.ts'

/** Where static files come from, and how much of them stays in memory. */
export type StaticFilesOptions = {
  /** Folders served at `/`; the first that has a file wins. */
  readonly dirs: readonly string[]
  /**
   * Lines that each file is sent with, unless it has one of that name: the built server exports
   * them as `defaultHeaders`. Names in lower case. Default: `x-content-type-options` only.
   */
  readonly headers?: HeaderLines
  /** Path of the build's `prerendered.json`; it need not exist. */
  readonly prerendered?: string
  /** Where servers of other builds leave their hashed assets while this one runs. */
  readonly sharedAssets?: string | undefined
  /** Larger files are always read from disk; default 256 KB. */
  readonly maxKeptFileBytes?: number
  /** Of all kept files together; default 64 MB. */
  readonly maxKeptBytes?: number
  /**
   * Finds what is kept for a URL, the prerendered pages of the build among it. Without it, these
   * are sent as long as the server runs.
   */
  readonly findKept?: FindCached
  /** Hears of files that could not be read. */
  readonly onError?: (error: unknown) => void
}

/** Answers requests for files and prerendered pages. */
export type StaticFiles = BuiltPages & {
  /** @returns false when the request is for the handler */
  answer(req: IncomingMessage, res: ServerResponse): boolean
  /** Whether the handler is asked before a prerendered page is sent: `answer` sends none then. */
  readonly isProxied: boolean
  /**
   * Sends what the handler's answer names: a prerendered page, or one that is kept.
   * @returns false when it names none
   */
  answerKept(req: IncomingMessage, res: ServerResponse, answer: HandlerResponse): boolean
  /** Bytes of file contents in memory. */
  keptBytes(): number
}

/**
 * Lists the static files and pages of a build. Their contents are read when first asked for:
 * small ones stay in memory, ready to be sent.
 * @throws when a folder or the manifest can't be read
 */
export function loadStaticFiles(options: StaticFilesOptions): StaticFiles {
  const { findKept } = options
  const entries = new Map<string, StaticFile>()
  for (const dir of options.dirs) addFolder(entries, dir, options.headers ?? noSniffing)
  const { notFound, isProxied, findBuilt } = options.prerendered
    ? addPrerendered(entries, options.prerendered)
    : nothingPrerendered
  const { send, keptBytes } = createStaticSender(options)
  const keptEntryOf = createKeptEntries()
  const entryOf = (target: string) => entries.get(target) ?? findEntry(entries, target)
  const asBuilt: FoundResponse = { answer: 'built', ageSeconds: null }
  const lateAsset = createLateAssets(entries, options)

  /** What is kept of a page that is the same for everybody, if this request may have it. */
  function findFor(req: IncomingMessage): FoundResponse | null {
    if (isProxied || req.headers.cookie?.includes(draftCookie)) return null
    return findKept ? findKept(req.url ?? '/') : asBuilt
  }

  return {
    isProxied,
    findBuilt,
    hasNotFound: notFound !== null,
    answer(req, res) {
      const target = req.url ?? '/'
      const named = entries.get(target)
      // What is kept is found by the target as it was sent: it is not taken apart first.
      const found = named?.kind === 'file' ? null : findFor(req)
      const entry = keptEntryOf(found) ?? named ?? findEntry(entries, target) ?? lateAsset(target)
      if (entry === undefined) return answerMissingAsset(target, res)
      const isPage = entry.kind === 'page'
      if (isPage && (found === null || !isForFile(entry, req))) return false
      if (isPage || isForFile(entry, req)) send(req, res, entry, found ?? undefined)
      else refuse(res, 405, ['allow', 'GET, HEAD'])
      return true
    },
    answerKept(req, res, { prerendered, kept, headers }) {
      if (kept) {
        send(req, res, createCachedEntry(kept, headers))
        return true
      }
      const named = prerendered === undefined ? undefined : entryOf(prerendered)
      const entry = prerendered === builtNotFound ? notFound : named
      if (!entry) return false
      send(req, res, entry, { added: headers })
      return true
    },
    keptBytes,
  }
}

/** Makes what prepares a kept answer for being sent, once for as long as it is kept. */
function createKeptEntries(): (found: FoundResponse | null) => StaticFile | undefined {
  const entries = new WeakMap<CachedResponse, StaticFile>()
  return (found) => {
    if (found === null || found.answer === 'built') return undefined
    const kept = found.answer
    let entry = entries.get(kept)
    if (entry === undefined) {
      entry = createCachedEntry(kept, [...kept.headers, [cacheStatusHeader, 'hit']])
      entries.set(kept, entry)
    }
    return entry
  }
}

function addFolder(entries: Map<string, StaticFile>, folder: string, headers: HeaderLines): void {
  const files = listFiles(folder)
  const paths = new Set(files.map((file) => join(folder, file)))
  for (const file of files) {
    const pathname = encodePathname(`/${file}`)
    if (entries.has(pathname)) continue
    entries.set(
      pathname,
      createFileEntry(pathname, join(folder, file), { headers, exists: (path) => paths.has(path) }),
    )
  }
}

const noSniffing: HeaderLines = [['x-content-type-options', 'nosniff']]

/** What a manifest says besides its files. */
type PrerenderedRest = Pick<StaticFiles, 'isProxied' | 'findBuilt'> & {
  readonly notFound: StaticFile | null
}

const nothingPrerendered: PrerenderedRest = {
  notFound: null,
  isProxied: false,
  findBuilt: () => null,
}

function addPrerendered(entries: Map<string, StaticFile>, path: string): PrerenderedRest {
  const manifest = readPrerenderedManifest(path)
  if (manifest === null) return nothingPrerendered
  const folder = dirname(path)
  const all = Object.values(manifest.files)
  if (manifest.notFound !== null) all.push(manifest.notFound)
  const folders = new Set(all.map(({ file }) => dirname(join(folder, file))))
  const paths = new Set(
    [...folders].flatMap((each) => listFiles(each).map((file) => join(each, file))),
  )
  const create = (file: PrerenderedFile) =>
    createPageEntry(file, join(folder, file.file), (sibling) => paths.has(sibling))
  for (const [pathname, file] of Object.entries(manifest.files)) {
    const canonical = canonicalPathname(pathname)
    if (canonical !== null && !entries.has(canonical)) entries.set(canonical, create(file))
  }
  const { notFound, isProxied } = manifest
  const findBuilt = createFindBuilt(manifest, folder, statSync(path).mtimeMs)
  return { notFound: notFound && create(notFound), isProxied, findBuilt }
}

function findEntry(entries: Map<string, StaticFile>, target: string): StaticFile | undefined {
  const pathname = canonicalPathname(target)
  return pathname === null || pathname === target ? undefined : entries.get(pathname)
}

// Nothing that leads out of the folder, and no draft of a file that is being written.
const lateAssetName = /^[\w-][\w.-]*\.(?!draft$|br$|gz$)\w+$/

/** Makes what looks for assets that came after the start. */
function createLateAssets(
  entries: Map<string, StaticFile>,
  { sharedAssets: folder, headers = [] }: StaticFilesOptions,
) {
  return (target: string): StaticFile | undefined => {
    if (folder === undefined || !target.startsWith(assetsPrefix)) return undefined
    const [pathname = ''] = target.split('?', 1)
    const path = join(folder, pathname)
    if (!lateAssetName.test(pathname.slice(assetsPrefix.length)) || !existsSync(path)) return
    const entry = createFileEntry(pathname, path, { headers, exists: existsSync })
    entries.set(pathname, entry)
    return entry
  }
}

function isForFile(entry: StaticFile, req: IncomingMessage): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return !entry.handlerOnHeaders.some((name) => req.headers[name] !== undefined)
}

// A page in place of a script or style would fail in a way that nobody can read.
function answerMissingAsset(target: string, res: ServerResponse): boolean {
  const pathname = canonicalPathname(target) ?? target
  if (!pathname.startsWith(assetsPrefix)) return false
  refuse(res, 404)
  return true
}
