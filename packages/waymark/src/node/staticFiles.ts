import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import type { Answer, HeaderLines } from '../shared/answer.ts'
import type { PrerenderedFile } from '../shared/prerendered.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import { createAcceptedEncodings, type Encoding } from './encodings.ts'
import { listFiles } from './listFiles.ts'
import { type Keeping, type OpenedSource, openSource } from './openSource.ts'
import { canonicalPathname, encodePathname } from './pathnames.ts'
import { readPrerenderedManifest } from './prerendered.ts'
import { refuse } from './refuse.ts'
import { sendKept, sendOpened } from './staticAnswer.ts'
import {
  createFileEntry,
  createPageEntry,
  type Rendition,
  type StaticEntry,
  withHeaders,
} from './staticEntry.ts'

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
  /** Hears of files that could not be read. */
  readonly onError?: (error: unknown) => void
}

/** Answers requests for files and prerendered pages. */
export type StaticFiles = {
  /** @returns false when the request is for the handler */
  answer(req: IncomingMessage, res: ServerResponse): boolean
  /** Answers with the prerendered 404 document. @returns false when there is none */
  answerNotFound(req: IncomingMessage, res: ServerResponse): boolean
  /** Whether the handler is asked before a prerendered page is sent: `answer` sends none then. */
  readonly isProxied: boolean
  /** Tells whether there is a prerendered answer to a request, were it for this pathname. */
  hasPrerendered(req: IncomingMessage, pathname: string): boolean
  /**
   * Sends the prerendered page that the handler's answer names.
   * @returns false when it names none
   */
  answerPrerendered(req: IncomingMessage, res: ServerResponse, answer: Answer): boolean
  /** Bytes of file contents in memory. */
  keptBytes(): number
}

/**
 * Lists the static files and pages of a build. Their contents are read when first asked for:
 * small ones stay in memory, ready to be sent.
 * @throws when a folder or the manifest can't be read
 */
export function loadStaticFiles(options: StaticFilesOptions): StaticFiles {
  const entries = new Map<string, StaticEntry>()
  for (const dir of options.dirs) addFolder(entries, dir, options.headers ?? noSniffing)
  const { notFound, isProxied } = options.prerendered
    ? addPrerendered(entries, options.prerendered)
    : nothingPrerendered
  const { send, keptBytes } = createSender(options)
  const entryOf = (target: string) => entries.get(target) ?? findEntry(entries, target)
  const lateAsset = createLateAssets(entries, options)

  return {
    isProxied,
    answer(req, res) {
      const target = req.url ?? '/'
      const entry = entryOf(target) ?? lateAsset(target)
      if (entry === undefined) return answerMissingAsset(target, res)
      if (isProxied && entry.kind === 'page') return false
      if (!isForFile(entry, req)) {
        if (entry.kind === 'page') return false
        refuse(res, 405, ['allow', 'GET, HEAD'])
        return true
      }
      send(req, res, entry)
      return true
    },
    answerNotFound(req, res) {
      if (notFound === null) return false
      send(req, res, notFound)
      return true
    },
    hasPrerendered(req, pathname) {
      const entry = entryOf(pathname)
      return entry?.kind === 'page' && isForFile(entry, req)
    },
    answerPrerendered(req, res, { prerendered, headers }) {
      const entry = prerendered === undefined ? undefined : entryOf(prerendered)
      if (entry === undefined) return false
      send(req, res, entry, headers)
      return true
    },
    keptBytes,
  }
}

/** Makes what sends entries, from memory where they are kept. */
function createSender(options: StaticFilesOptions) {
  const keeping: Keeping = {
    maxFileBytes: options.maxKeptFileBytes ?? 256 * 1024,
    maxBytes: options.maxKeptBytes ?? 64 * 1024 * 1024,
    keptBytes: 0,
  }
  const acceptedEncodings = createAcceptedEncodings()

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    entry: StaticEntry,
    added: HeaderLines = [],
  ): void {
    const rendition = chooseRendition(entry, req, acceptedEncodings)
    if (rendition.kept !== null) {
      sendKept(req, res, withHeaders(rendition.kept, added))
      return
    }
    sendFromDisk(req, res, openSource(rendition, keeping), added).catch((error: unknown) => {
      options.onError?.(error)
      if (res.headersSent) res.destroy()
      else refuse(res, 500)
    })
  }

  return { send, keptBytes: () => keeping.keptBytes }
}

async function sendFromDisk(
  req: IncomingMessage,
  res: ServerResponse,
  opening: Promise<OpenedSource | null>,
  added: HeaderLines,
): Promise<void> {
  const opened = await opening
  if (opened === null) refuse(res, 404)
  else await sendOpened(req, res, { ...opened, source: withHeaders(opened.source, added) })
}

function addFolder(entries: Map<string, StaticEntry>, folder: string, headers: HeaderLines): void {
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
type PrerenderedRest = { readonly notFound: StaticEntry | null; readonly isProxied: boolean }

const nothingPrerendered: PrerenderedRest = { notFound: null, isProxied: false }

function addPrerendered(entries: Map<string, StaticEntry>, path: string): PrerenderedRest {
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
  return { notFound: notFound && create(notFound), isProxied }
}

function findEntry(entries: Map<string, StaticEntry>, target: string): StaticEntry | undefined {
  const pathname = canonicalPathname(target)
  return pathname === null || pathname === target ? undefined : entries.get(pathname)
}

// Nothing that leads out of the folder, and no draft of a file that is being written.
const lateAssetName = /^[\w-][\w.-]*\.(?!draft$|br$|gz$)\w+$/

/** Makes what looks for assets that came after the start. */
function createLateAssets(
  entries: Map<string, StaticEntry>,
  { sharedAssets: folder, headers = [] }: StaticFilesOptions,
) {
  return (target: string): StaticEntry | undefined => {
    if (folder === undefined || !target.startsWith(assetsPrefix)) return undefined
    const [pathname = ''] = target.split('?', 1)
    const path = join(folder, pathname)
    if (!lateAssetName.test(pathname.slice(assetsPrefix.length)) || !existsSync(path)) return
    const entry = createFileEntry(pathname, path, { headers, exists: existsSync })
    entries.set(pathname, entry)
    return entry
  }
}

function isForFile(entry: StaticEntry, req: IncomingMessage): boolean {
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

function chooseRendition(
  entry: StaticEntry,
  req: IncomingMessage,
  acceptedEncodings: (header: string | undefined) => readonly Encoding[],
): Rendition {
  const [identity, ...coded] = entry.renditions as [Rendition, ...Rendition[]]
  if (coded.length === 0) return identity
  for (const encoding of acceptedEncodings(req.headers['accept-encoding'] as string | undefined)) {
    const rendition = entry.renditions.find((each) => each.encoding === encoding)
    if (rendition !== undefined) return rendition
  }
  // A client that refuses all of them gets the plain file rather than a 406.
  return identity
}
