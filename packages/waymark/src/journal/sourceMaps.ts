import { readdir, readFile, stat } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { buildLayout, devBuildId } from '../shared/buildManifest.ts'
import { parseFrame, type StackFrame } from './stackFrames.ts'

/** Where a frame is in what an author wrote. */
export type SourcePosition = {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** Whether it is the app's own, and no package's. */
  readonly isOwn: boolean
  /** The file's text at the time of the build, as far as it is known. */
  readonly source: string | null
}

/** A frame, and its place if that could be found. */
export type MappedFrame = { readonly frame: StackFrame; readonly place: SourcePosition | null }

/** What a stack comes from. */
export type StackOrigin = { readonly isBrowser: boolean; readonly buildId: string | null }

/** Maps a stack as the journal stores it: frames alone, one a line. */
export type MapStack = (stack: string, origin: StackOrigin) => Promise<MappedFrame[]>

/** An app whose stacks are to be mapped. */
export type MapOptions = {
  /** Absolute. */
  readonly root: string
  /** Folder that builds are written to, absolute. */
  readonly buildDir: string
  /** Of the build that stands there now. */
  readonly currentBuildId: string | null
}

/**
 * Creates what maps stacks to the author's files. It reads files, so it is for when an entry is
 * looked at, not for when it occurs.
 */
export function createStackMapper({ root, buildDir, currentBuildId }: MapOptions): MapStack {
  const loadMap = createLoadMap(buildDir, currentBuildId)
  const folder = path.basename(buildDir)

  async function placeOf(frame: StackFrame, origin: StackOrigin): Promise<SourcePosition | null> {
    if (frame.file === null) return null
    const generated = generatedFileOf(frame.file, { isBrowser: origin.isBrowser, folder })
    if (generated === null) return isAuthored(frame, origin) ? authored(frame, root) : null
    const map = await loadMap(generated, origin.buildId)
    return map && mapped(frame, map, path.join(buildDir, generated))
  }

  return (stack, origin) =>
    Promise.all(
      stack.split('\n').map(async (text) => {
        const frame = parseFrame(text)
        return { frame, place: await placeOf(frame, origin) }
      }),
    )
}

function mapped(
  { line, column }: StackFrame,
  map: SourceMap,
  generatedPath: string,
): SourcePosition | null {
  const found = map.findEntry(line - 1, column - 1)
  // It gives the nearest mapping before, which may be that of another line.
  if (!('originalSource' in found) || found.generatedLine !== line - 1) return null
  const { sources, sourcesContent } = map.payload
  const at = sources.indexOf(found.originalSource)
  const file = path.resolve(path.dirname(generatedPath), plainPath(found.originalSource))
  return {
    file,
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
    isOwn: isOwn(file),
    source: sourcesContent?.[at] ?? null,
  }
}

// Of a browser, they are a stranger's word, unless the dev server has put them there: even then
// they show nothing but source code.
function isAuthored({ file }: StackFrame, { isBrowser, buildId }: StackOrigin): boolean {
  return !isBrowser || (buildId === devBuildId && /\.(?:[cm]?[jt]sx?|mdx?)$/.test(file ?? ''))
}

/** In development, frames name the author's files themselves. */
async function authored(
  { file, line, column }: StackFrame,
  root: string,
): Promise<SourcePosition | null> {
  const absolute = plainPath(file ?? '')
  const isInside = absolute.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
  if (!isInside || !isOwn(absolute)) return null
  const source = await readFile(absolute, 'utf8').catch(() => null)
  return { file: absolute, line, column, isOwn: true, source }
}

function plainPath(file: string): string {
  const found = /^(?:about:\/\/React\/[^/]+\/)?file:\/\/(\/.*)$/.exec(file)?.[1]
  if (found === undefined) return file
  try {
    return decodeURIComponent(found)
  } catch {
    return found
  }
}

// Sources without a file, such as those of plugins, begin with a zero byte or a scheme.
function isOwn(file: string): boolean {
  return !/\0|[\\/]node_modules[\\/]|virtual:|[\\/]waymark[\\/]dist[\\/]/.test(file)
}

// Larger than any map that a build should have, and small enough for the memory of a command.
const maxMapBytes = 256 * 2 ** 20

/**
 * Creates what loads the source map of a build's file, each once.
 * @param buildDir the folder that builds are written to; the maps are in a folder of it, by the id of
 * their build, or beside their files
 * @param currentBuildId of the build that stands in `buildDir` now
 */
function createLoadMap(buildDir: string, currentBuildId: string | null) {
  const loaded = new Map<string, Promise<SourceMap | null>>()
  const mapsDir = path.join(buildDir, buildLayout.maps)

  async function find(file: string, buildId: string | null): Promise<SourceMap | null> {
    for (const folder of await foldersFor(file, buildId)) {
      const map = await readMap(path.join(folder, `${file}.map`))
      if (map) return map
    }
    return null
  }

  /** An equal name means an equal file only in the same build, or where the name has a hash. */
  async function foldersFor(file: string, buildId: string | null): Promise<string[]> {
    const own = buildId ?? currentBuildId
    const folders = own !== null && /^[\w-]+$/.test(own) ? [path.join(mapsDir, own)] : []
    if (own === currentBuildId) folders.push(buildDir)
    if (!file.startsWith('client/')) return folders
    const others = await readdir(mapsDir).catch(() => [])
    return [...folders, ...others.map((name) => path.join(mapsDir, name)), buildDir]
  }

  return (file: string, buildId: string | null): Promise<SourceMap | null> => {
    const key = `${buildId} ${file}`
    const map = loaded.get(key) ?? find(file, buildId)
    loaded.set(key, map)
    return map
  }
}

async function readMap(file: string): Promise<SourceMap | null> {
  try {
    if ((await stat(file)).size > maxMapBytes) return null
    return new SourceMap(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // None there, or one that nothing can be read from: the frame stays as it is.
    return null
  }
}

const served = '/_waymark/assets/'

/**
 * Finds out which file of a build a frame is in.
 * @param file as the frame names it: a path or a URL; of a browser it is a stranger's word
 * @param folder name of the folder that builds are written to, such as `.waymark`
 * @returns its path in the folder, such as `rsc/assets/page-Bx3_k9aQ.js`, never one that leaves it;
 * `null` when it is in none
 */
export function generatedFileOf(
  file: string,
  { isBrowser, folder }: { isBrowser: boolean; folder: string },
): string | null {
  const path = pathnameOf(file)
  if (path === null) return null
  const found = isBrowser ? after(path, served, `client${served}`) : after(path, `/${folder}/`, '')
  const isPlain = found?.split('/').every((part) => /^[^\\:]+$/.test(part) && !/^\.+$/.test(part))
  return found && isPlain ? found : null
}

function pathnameOf(file: string): string | null {
  if (!/^[a-z][\w+.-]*:\/\//i.test(file)) return file.replaceAll('\\', '/')
  try {
    return decodeURIComponent(new URL(file).pathname)
  } catch {
    return null
  }
}

function after(path: string, mark: string, lead: string): string | null {
  const at = path.lastIndexOf(mark)
  return at === -1 ? null : lead + path.slice(at + mark.length)
}

const linesAround = 2

/**
 * Writes the lines around a place, with their numbers and a mark below the column.
 * @param line from 1
 * @param column from 1
 */
export function codeFrame(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, line - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const width = String(last).length
  const written: string[] = []
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? ''
    written.push(`${String(number).padStart(width)} | ${text}`)
    if (number === line) written.push(`${' '.repeat(width)} | ${markBelow(text, column)}`)
  }
  return written.join('\n')
}

// Tabs stay tabs, so that the mark stands where the eye looks for it.
function markBelow(text: string, column: number): string {
  const before = text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ')
  return `${before}^`
}
